"""Measures an experiment with PyTorch: what `assay bench --experiment-process` does, for --backend torch.

Reads one request (assay.request.v1) on stdin and writes sample and contract lines on stdout. Workload,
seeds, boundaries and settings are those of bench/workloads/mlp.h and bench/boundary.h, so that both can
be compared. Exit status 3: PyTorch is not to be had here; 7: it cannot measure what was asked for.
"""
import sys

sys.path = [place for place in sys.path if place]  # nothing is imported from the working directory
import json
import math
import random
import time

STARTED = time.perf_counter()
UNAVAILABLE, UNSUPPORTED = 3, 7


def leave(status, message):
    print(f"torch: {message}", file=sys.stderr)
    sys.exit(status)


try:
    import numpy
    import torch
    import torch.nn.functional as functional
except Exception as missing:  # pylint: disable=broad-except
    leave(UNAVAILABLE, f"PyTorch cannot be imported by {sys.executable.rsplit('/', 1)[-1]}: {missing}")

IMPORT_MS = (time.perf_counter() - STARTED) * 1e3
DEFAULTS = {
    "dim": "1536", "depth": "12", "batch": "256", "classes": "10", "activation": "gelu", "mode": "step",
    "optimizer": "adamw", "lr": "0.001", "momentum": "0", "beta1": "0.9", "beta2": "0.999",
    "epsilon": "1e-8", "weight_decay": "-1", "implementation": "multi-tensor", "execution": "eager",
    "zero_grad": "none", "input": "resident", "seed": "1"}
LOOP_DEFAULTS = {"count": "20", "samples": "20", "warmup": "10", "seconds": "0"}
DEVICE_DEFAULTS = {"threads": "0", "queue_depth": "0", "tf32": "off", "memory_budget_mb": "0", "gpu": "0"}
MASK = (1 << 64) - 1
TURN_SAMPLES, SAMPLES_LEAST, SAMPLES_IN_TIME = 5000, 3, 500


# --- first weights and data, bit for bit those of bench/workloads/mlp_data.c up to the C library's rounding

class Stream:
    """SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), many at a time: its state is a counter."""

    def __init__(self, seed):
        self.state = seed & MASK

    def words(self, count):
        step = numpy.uint64(0x9e3779b97f4a7c15)
        with numpy.errstate(over="ignore"):
            z = numpy.uint64(self.state) + step * numpy.arange(1, count + 1, dtype=numpy.uint64)
            z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xbf58476d1ce4e5b9)
            z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94d049bb133111eb)
            z = z ^ (z >> numpy.uint64(31))
        self.state = (self.state + 0x9e3779b97f4a7c15 * count) & MASK
        return z

    def uniform(self, count):
        return (self.words(count) >> numpy.uint64(11)).astype(numpy.float64) * 2.0**-53

    def symmetric(self, shape, bound):
        values = bound * (2 * self.uniform(int(numpy.prod(shape))) - 1)
        return values.astype(numpy.float32).reshape(shape)

    def normal(self, shape):
        pairs = self.uniform(2 * int(numpy.prod(shape))).reshape(-1, 2)
        values = numpy.sqrt(-2 * numpy.log(1 - pairs[:, 0])) * numpy.cos(6.283185307179586 * pairs[:, 1])
        return values.astype(numpy.float32).reshape(shape)


class Mlp:
    """The workload: depth x (Linear, activation), Linear to classes, mean cross-entropy."""

    def __init__(self, settings, device):
        started = time.perf_counter()
        self.settings, self.device = settings, device
        dim, depth, classes = (int(settings[name]) for name in ("dim", "depth", "classes"))
        self.batch = int(settings["batch"])
        shapes = [(dim, dim)] * depth + ([(classes, dim)] if classes else [])
        weights, data = Stream(int(settings["seed"])), Stream(int(settings["seed"]) ^ 0x64617461 << 32)
        self.activated = depth
        self.layers = []
        for out, wide in shapes:
            bound = 1 / math.sqrt(wide)
            self.layers.append([self.parameter(weights.symmetric((out, wide), bound)),
                                self.parameter(weights.symmetric((out,), bound))])
        self.host_inputs = torch.from_numpy(data.normal((self.batch, dim)))
        columns = numpy.uint64(classes or dim)
        self.host_labels = torch.from_numpy((data.words(self.batch) % columns).astype(numpy.int64))
        self.inputs, self.labels = self.host_inputs.to(device), self.host_labels.to(device)
        if self.inputs.data_ptr() == self.host_inputs.data_ptr():
            self.inputs, self.labels = self.inputs.clone(), self.labels.clone()
        self.optimizer = self.make_optimizer() if settings["mode"] == "step" else None
        self.loss, self.steps = None, 0
        synchronize(device)
        self.open_ms = (time.perf_counter() - started) * 1e3

    def parameter(self, values):
        return torch.from_numpy(values).to(self.device).requires_grad_(True)

    def parameters(self):
        return [tensor for layer in self.layers for tensor in layer]

    def make_optimizer(self):
        s = self.settings
        adamw = s["optimizer"] == "adamw"
        decay = float(s["weight_decay"])
        more = {"lr": float(s["lr"]), "weight_decay": decay if decay >= 0 else 0.01 if adamw else 0.0}
        if s["implementation"] == "fused":
            more["fused"] = True
        else:
            more["foreach"] = s["implementation"] == "multi-tensor"
        try:
            if s["optimizer"] == "sgd":
                return torch.optim.SGD(self.parameters(), momentum=float(s["momentum"]), **more)
            kind = torch.optim.AdamW if adamw else torch.optim.Adam
            return kind(self.parameters(), betas=(float(s["beta1"]), float(s["beta2"])), eps=float(s["epsilon"]), **more)
        except (TypeError, RuntimeError, ValueError) as wrong:
            return leave(UNSUPPORTED, f"PyTorch {torch.__version__} has no such optimizer here: {wrong}")

    def forward(self):
        x, activation = self.inputs, self.settings["activation"]
        for i, (weight, bias) in enumerate(self.layers):
            x = functional.linear(x, weight, bias)
            if i < self.activated:
                x = (torch.relu(x) if activation == "relu" else
                     functional.gelu(x, approximate="tanh" if activation == "gelu-tanh" else "none"))
        return x

    def zero_gradients(self):
        for tensor in self.parameters():
            if self.settings["zero_grad"] == "none":
                tensor.grad = None
            elif tensor.grad is not None:
                tensor.grad.zero_()

    def step(self):
        mode = self.settings["mode"]
        self.steps += 1
        if self.settings["input"] == "copied":
            self.inputs.copy_(self.host_inputs)
            self.labels.copy_(self.host_labels)
        if mode == "inference":
            with torch.no_grad():
                self.forward()
            return
        if mode == "forward":
            self.logits = self.forward()
            return
        self.zero_gradients()
        self.loss = functional.cross_entropy(self.forward(), self.labels)
        self.loss.backward()
        if self.optimizer:
            self.optimizer.step()

    def result(self):
        with torch.no_grad():
            loss = self.loss if self.loss is not None else functional.cross_entropy(self.forward(), self.labels)
        return float(loss)


def synchronize(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


# --- boundaries: where the clock starts and stops, as bench/boundary.c has them

class Sampler:
    """Emits (metric, unit, iteration, value, warmup) and says whether another sample shall be taken."""

    def __init__(self, options):
        self.options, self.samples = options, []
        self.iteration = self.first = 0
        self.warmup, self.begin = False, time.perf_counter()

    def emit(self, metric, unit, value):
        self.samples.append((metric, unit, self.iteration, value, self.warmup))

    def more(self, wanted):
        if self.iteration >= wanted or len(self.samples) >= TURN_SAMPLES:
            return False
        limit = float(self.options["seconds"])
        return (limit <= 0 or self.iteration - self.first < SAMPLES_LEAST or
                time.perf_counter() - self.begin < limit)

    def ask(self, name):
        return int(self.options[name])


def timed(run, count=1):
    """(ms until the last submission returned, ms until all was done) of count steps."""
    synchronize(run.device)
    start = time.perf_counter()
    for _ in range(count):
        run.step()
    submitted = time.perf_counter() - start
    synchronize(run.device)
    return submitted * 1e3, (time.perf_counter() - start) * 1e3


def host_return(run, s):
    while s.more(s.ask("samples")):
        host, whole = timed(run)
        s.emit("host", "ms", host)
        s.emit("step", "ms", whole)
        s.iteration += 1


def loop_unsynchronized(run, s):
    count = s.ask("count")
    while s.more(s.ask("samples")):
        submitted, whole = timed(run, count)
        s.emit("reported", "ms/step", submitted / count)
        s.emit("queued", "ms", whole - submitted)
        s.emit("real", "ms/step", whole / count)
        s.iteration += 1


def loop_synchronized(run, s):
    count = s.ask("count")
    while s.more(s.ask("samples")):
        s.emit("step", "ms/step", timed(run, count)[1] / count)
        s.iteration += 1


def per_iteration(run, s):
    while s.more(s.ask("samples")):
        s.emit("step", "ms", timed(run)[1])
        s.iteration += 1


def warmed_median(run, s):
    s.warmup = True
    while s.more(s.ask("warmup")):
        s.emit("step", "ms", timed(run)[1])
        s.iteration += 1
    s.first, s.warmup, s.begin = s.iteration, False, time.perf_counter()
    while s.more(s.first + s.ask("samples")):
        s.emit("step", "ms", timed(run)[1])
        s.iteration += 1


def first_call(run, s):
    s.emit("first", "ms", timed(run)[1])
    s.emit("second", "ms", timed(run)[1])
    s.emit("open", "ms", run.open_ms)
    s.emit("library", "ms", IMPORT_MS)


def result(run, s):
    for _ in range(s.ask("count")):
        run.step()
    s.emit("result", "", run.result())


BOUNDARIES = {"host-return": host_return, "loop-unsynchronized": loop_unsynchronized,
              "loop-synchronized": loop_synchronized, "per-iteration": per_iteration,
              "warmed-median": warmed_median, "first-call": first_call, "result": result}


# --- one process: every group of variants in random order, then mirrored (bench/experiment.h)

def group_of(variant):
    return (variant["workload"], variant["boundary"], tuple(sorted(variant.get("parameters", {}).items())))


ONCE = ("first-call", "result")


def turns_of(variants, seed, shams):
    order = random.Random(seed)
    firsts = [i for i, v in enumerate(variants) if group_of(v) not in [group_of(w) for w in variants[:i]]]
    cold = [(i, False) for i in firsts if variants[i]["boundary"] == "first-call"]
    once = [(i, False) for i in firsts if variants[i]["boundary"] in ONCE[1:]]
    warm = [(i, False) for i in firsts if variants[i]["boundary"] not in ONCE]
    warm += [(i, True) for i in shams]
    order.shuffle(cold)
    order.shuffle(warm)
    return cold + once + warm + warm[::-1]


def settings_of(variant, seconds):
    given = dict(variant.get("parameters", {}))
    unknown = [name for name in given if name not in {**DEFAULTS, **LOOP_DEFAULTS, **DEVICE_DEFAULTS}]
    if unknown:
        leave(UNSUPPORTED, f"unknown setting {unknown[0]!r}")
    if seconds > 0:
        given.setdefault("seconds", f"{seconds:.3g}")
    if "samples" in given and variant["boundary"] not in ONCE:
        given["samples"] = str((int(given["samples"]) + 1) // 2)
    elif seconds > 0:
        given.setdefault("samples", str(SAMPLES_IN_TIME))
    return {**DEFAULTS, **LOOP_DEFAULTS, **DEVICE_DEFAULTS, **given}


def check_supported(variant, settings):
    if variant["workload"] != "mlp":
        leave(UNSUPPORTED, f"the PyTorch adapter has no workload {variant['workload']!r}")
    if variant["boundary"] not in BOUNDARIES:
        leave(UNSUPPORTED, f"PyTorch gives no way to measure boundary {variant['boundary']}")
    if settings["execution"] != "eager":
        leave(UNSUPPORTED, f"the PyTorch adapter runs eagerly, not {settings['execution']}")


def open_device(settings):
    if int(settings["threads"]):
        torch.set_num_threads(int(settings["threads"]))
    if hasattr(torch, "set_flush_denormal"):
        torch.set_flush_denormal(True)
    if not torch.cuda.is_available():
        return torch.device("cpu")
    torch.backends.cuda.matmul.allow_tf32 = settings["tf32"] == "on"
    return torch.device("cuda", int(settings["gpu"]))


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "processor of unknown name"


def contract_of(variant, settings, device):
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else processor()
    threads = str(torch.get_num_threads())
    fields = {"workload": "mlp", **{key: settings[key] for key in DEFAULTS}, "device": device.type,
              "device_name": name, "library": f"PyTorch {torch.__version__}, {threads} threads",
              "threads": threads, "boundary": variant["boundary"]}
    return {**fields, **{key: settings[key] for key in ("count", "samples", "warmup")}}


def main():
    request = json.load(sys.stdin)
    experiment = request["experiment"]
    variants = experiment["variants"]
    described = set()
    for block, (first, sham) in enumerate(turns_of(variants, request["seed"], request["shams"])):
        settings = settings_of(variants[first], request["seconds"])
        check_supported(variants[first], settings)
        device = open_device(settings)
        sampler = Sampler(settings)
        BOUNDARIES[variants[first]["boundary"]](Mlp(settings, device), sampler)
        for variant in (v for v in variants if group_of(v) == group_of(variants[first])):
            seen = [s for s in sampler.samples if s[0] == variant["metric"]]
            if not seen:
                leave(UNSUPPORTED, f"boundary {variant['boundary']} has no metric {variant['metric']!r} here")
            for _, unit, iteration, value, warmup in seen:
                print(json.dumps({"schema": "assay.measurement.v1", "experiment": experiment["id"],
                                  "variant": variant["name"], "process": request["process"], "block": block,
                                  "iteration": iteration, "value": value, "unit": unit, "warmup": warmup,
                                  "outlier": False, "sham": sham, "environment": ""}))
            if variant["name"] not in described:
                described.add(variant["name"])
                print(json.dumps({"schema": "assay.contract.v1", "experiment": experiment["id"],
                                  "variant": variant["name"], "key": request["key"],
                                  "fields": contract_of(variants[first], settings, device)}))


if __name__ == "__main__":
    main()
