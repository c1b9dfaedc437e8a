"""Training compared with PyTorch: 100 steps on the same first weights and data, and the PyTorch adapter."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
import harness
from harness import EXAMPLE, ROOT, Skip, assay, check, equal, load, passes, test

try:
    import numpy
    import torch
except ImportError:
    torch = None

BRIEF, CHAPTER = os.path.join(EXAMPLE, "brief.txt"), os.path.join(EXAMPLE, "chapter.txt")
BUILD = os.environ.get("BUILD", "build")
PYTHON = {"ASSAY_PYTHON": sys.executable}
SHAPE = {"dim": 48, "depth": 3, "batch": 24, "classes": 7}
# Relative difference of a loss that float32 sums taken in another order may make over 100 steps: each step
# rounds at 6e-8, a sum of 48 terms at some 4e-7, and training amplifies; measured below 2e-6.
TOLERANCE = 5e-5


def need_torch():
    if torch is None:
        raise Skip("PyTorch is not installed (Debian: python3-torch)")


def dump(folder, **settings):
    """Weights, data and 100 losses of Assay's own training."""
    words = [f"{name}={value}" for name, value in {**SHAPE, **settings}.items()]
    subprocess.run([f"{BUILD}/tests/test_mlp", "dump", folder, *words], check=True, cwd=ROOT)
    read = lambda name, kind: numpy.fromfile(os.path.join(folder, name), dtype=kind)
    return read("parameters", "f4"), read("inputs", "f4"), read("labels", "i4"), read("losses", "f4")


def blocks(parameters):
    """(weight, bias) of each layer; tensors begin at multiples of 16 floats."""
    at, layers = 0, []
    aligned = lambda n: (n + 15) // 16 * 16
    for out in [SHAPE["dim"]] * SHAPE["depth"] + [SHAPE["classes"]]:
        weight = parameters[at:at + out * SHAPE["dim"]].reshape(out, SHAPE["dim"])
        at += aligned(out * SHAPE["dim"])
        layers.append((weight, parameters[at:at + out]))
        at += aligned(out)
    return layers


def model_of(parameters, activation):
    modules = []
    for i, (weight, bias) in enumerate(blocks(parameters)):
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0])
        linear.weight.data, linear.bias.data = torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())
        modules += [linear, activation()] if i < SHAPE["depth"] else [linear]
    return torch.nn.Sequential(*modules)


def train(parameters, inputs, labels, activation, optimizer_of, steps=100):
    model = model_of(parameters, activation)
    optimizer = optimizer_of(model.parameters())
    x = torch.from_numpy(inputs.reshape(SHAPE["batch"], SHAPE["dim"]))
    y = torch.from_numpy(labels.astype("i8"))
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return numpy.array(losses)


def compare(folder, module, optimizer_of, **settings):
    need_torch()
    torch.set_flush_denormal(True)
    parameters, inputs, labels, ours = dump(folder, **settings)
    theirs = train(parameters, inputs, labels, module, optimizer_of)
    check(theirs[-1] < 0.7 * theirs[0], "PyTorch did not learn:", theirs[0], theirs[-1])
    # the first loss is the floor of the scale: late losses of a learned batch are differences of large numbers
    worst = numpy.max(numpy.abs(ours - theirs) / numpy.maximum(numpy.abs(theirs), 0.05 * theirs[0]))
    check(worst < TOLERANCE, f"losses differ by {worst:.2e}, relative")


@test
def a_hundred_steps_of_adamw_and_gelu_agree_with_pytorch(folder):
    compare(folder, torch and torch.nn.GELU, lambda p: torch.optim.AdamW(p, lr=1e-3), optimizer="adamw")


@test
def a_hundred_steps_of_fused_adam_and_tanh_gelu_agree_with_pytorch(folder):
    compare(folder, lambda: torch.nn.GELU(approximate="tanh"), lambda p: torch.optim.Adam(p, lr=1e-3, weight_decay=0.02),
            optimizer="adam", activation="gelu-tanh", implementation="fused", weight_decay=0.02)


@test
def a_hundred_steps_of_momentum_and_relu_agree_with_pytorch(folder):
    compare(folder, torch and torch.nn.ReLU, lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9),
            optimizer="sgd", activation="relu", lr=0.05, momentum=0.9, zero_grad="zero", implementation="loop")


# --- the adapter

def loss_experiment(**more):
    variant = {"name": "loss", "workload": "mlp", "boundary": "result", "metric": "result", "unit": "",
               "parameters": {"count": "100", **{k: str(v) for k, v in {**SHAPE, **more}.items()}}}
    return {"id": "E1", "title": "a loss", "kind": "absolute", "device": "cpu", "claims": [], "variants": [variant],
            "budget_seconds": 20}


def bench_with_torch(folder, *experiments, env=None):
    status, _, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--no-bench", "-q", "--out", folder)
    equal(status, 3, err)
    found = passes(folder)[-1]
    for name in ("results.json", "measurements.jsonl"):
        if os.path.exists(f"{found}/{name}"):
            os.remove(f"{found}/{name}")
    with open(f"{found}/plan.json", "w", encoding="utf-8") as file:
        json.dump({"schema": "assay.plan.v1", "backend": "torch", "budget_seconds": 60,
                   "experiments": list(experiments)}, file)
    assay("bench", found, "--backend", "torch", "--repeat", "1", env=env or PYTHON)
    return found


@test
def the_adapter_trains_what_assay_trains(folder):
    need_torch()
    found = bench_with_torch(folder, loss_experiment())
    lines = [json.loads(line) for line in open(f"{found}/measurements.jsonl", encoding="utf-8")]
    theirs = next(line["value"] for line in lines if line["schema"] == "assay.measurement.v1")
    contract = next(line["fields"] for line in lines if line["schema"] == "assay.contract.v1")
    check(f"PyTorch {torch.__version__}" in contract["library"], contract)
    ours = float(dump(folder)[3][-1])
    first = float(numpy.log(SHAPE["classes"]))
    check(abs(ours - theirs) < TOLERANCE * max(abs(ours), 0.05 * first), ours, theirs)


@test
def what_pytorch_cannot_measure_is_unrun_and_the_rest_is_measured(folder):
    need_torch()
    odd = loss_experiment()
    odd["id"], odd["variants"][0]["boundary"], odd["variants"][0]["metric"] = "E2", "queue-depth", "operations"
    found = bench_with_torch(folder, odd, loss_experiment(count=1))
    result = {r["id"]: r for r in load(found, "results.json")["experiments"]}
    equal(result["E2"]["status"], "UNRUN")
    check("queue-depth" in result["E2"]["reason"], result["E2"]["reason"])
    check(result["E1"]["status"] != "UNRUN", result["E1"]["reason"])


@test
def without_pytorch_experiments_are_unrun_with_the_reason(folder):
    bare = os.path.join(folder, "python-without-packages")
    with open(bare, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} -S -E "$@"\n')
    os.chmod(bare, 0o755)
    found = bench_with_torch(folder, loss_experiment(), env={"ASSAY_PYTHON": bare})
    result = load(found, "results.json")["experiments"][0]
    equal(result["status"], "UNRUN")
    check("PyTorch cannot be imported" in result["reason"], result["reason"])


if __name__ == "__main__":
    harness.main(harness.TESTS)
