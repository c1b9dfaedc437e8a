"""The bench stage: verdicts of workloads whose true time is known, and everything that can break a measurement."""
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import ASSAY, EXAMPLE, ROOT, Skip, assay, check, equal, load, passes, test

BRIEF = os.path.join(EXAMPLE, "brief.txt")
CHAPTER = os.path.join(EXAMPLE, "chapter.txt")


def variant(name, microseconds, boundary="per-iteration", metric="step", workload="null", **more):
    parameters = {"microseconds": str(microseconds)} if workload == "null" else {}
    parameters.update({key: str(value) for key, value in more.items()})
    return {"name": name, "workload": workload, "boundary": boundary, "metric": metric, "unit": "ms",
            "parameters": parameters}


def experiment(name, kind, variants, **more):
    return {"id": name, "title": f"experiment {name}", "kind": kind, "device": "cpu", "claims": [],
            "variants": variants, "budget_seconds": 1, **more}


QUICK = [variant("short", 500, samples=5), variant("long", 8000, samples=5)]  # a factor of sixteen


def make_pass(folder, *experiments, budget=20):
    """A pass whose plan is these experiments."""
    status, _, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--no-bench", "-q", "--out", folder)
    equal(status, 3, err)
    found = passes(folder)[-1]
    for name in ("results.json", "measurements.jsonl"):
        if os.path.exists(f"{found}/{name}"):
            os.remove(f"{found}/{name}")
    write_plan(found, *experiments, budget=budget)
    return found


def write_plan(folder, *experiments, budget=20):
    with open(f"{folder}/plan.json", "w", encoding="utf-8") as file:
        json.dump({"schema": "assay.plan.v1", "backend": "cpu", "budget_seconds": budget,
                   "experiments": list(experiments)}, file)


def results(folder):
    return {r["id"]: r for r in load(folder, "results.json")["experiments"]}


def reproduced(result):
    """On a machine that others keep busy a verdict may stay open, and then says what disturbed it, or that the
    interval is too wide."""
    check(result["status"] == "REPRODUCED" or
          (result["status"] == "INCONCLUSIVE" and (result["disturbances"] or "undecided" in result["reason"])),
          result["status"], result["reason"])


def lines(folder):
    path = f"{folder}/measurements.jsonl"
    if not os.path.exists(path):
        return []
    return [json.loads(line) for line in open(path, encoding="utf-8") if line.endswith("\n")]


def processes(folder, name):
    return [r for r in lines(folder) if r["schema"] == "assay.process.v1" and r["experiment"] == name]


def start(folder, *more):
    return subprocess.Popen([ASSAY, "bench", folder, "--backend", "cpu", *more], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def wait_for(condition, what, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s for {what}")


def child_of(process):
    """The pid of the experiment process, once it has read its request (it then keeps a CPU busy)."""
    try:
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            children = file.read().split()
    except OSError:
        return None
    for child in children:
        try:
            with open(f"/proc/{child}/cmdline", "rb") as file:
                if b"--experiment-process" in file.read():
                    return int(child)
        except OSError:
            pass
    return None


@test
def an_order_with_a_factor_of_sixteen_is_reproduced(folder):
    found = make_pass(folder, experiment("E1", "order", QUICK), experiment("E2", "order", QUICK[::-1]))
    status, _, err = assay("bench", found)
    check(status in (0, 1), status, err)
    result = results(found)
    reproduced(result["E1"])
    check(result["E2"]["status"] in ("NOT REPRODUCED", "INCONCLUSIVE"), result["E2"])  # disturbed runs refute nothing
    if result["E2"]["status"] == "INCONCLUSIVE":
        check(result["E2"]["disturbances"], "undecided without a disturbance:", result["E2"])
    short, long = result["E1"]["measured"]
    check(short["median"] >= 0.5, "shorter than the device was busy:", short)
    check(long["median"] >= 8, "shorter than the device was busy:", long)
    check(short["n"] >= 3 and short["n"] == len(processes(found, "E1")), short)
    kinds = [r["schema"] for r in lines(found)]
    equal(kinds[0], "assay.environment.v1", "the environment comes first")
    equal(kinds[-1], "assay.process.v1", "a process's record is its last line")


@test
def every_line_of_measurements_fits_its_schema(folder):
    try:
        import jsonschema
    except ImportError:
        raise Skip("python3-jsonschema is missing")
    found = make_pass(folder, experiment("E1", "order", QUICK))
    equal(assay("bench", found)[0], 0)
    for artifact, values in (("measurement", lines(found)), ("results", [load(found, "results.json")])):
        with open(f"{ROOT}/schemas/{artifact}.schema.json", encoding="utf-8") as file:
            validator = jsonschema.Draft202012Validator(json.load(file))
        for value in values:
            errors = [e.message for e in validator.iter_errors(value)]
            check(not errors, artifact, errors)


@test
def a_crash_costs_its_experiment_only(folder):
    endless = experiment("E1", "order", [variant("a", 1000000, operations=1000, samples=1),
                                         variant("b", 1, samples=1)], budget_seconds=15)
    found = make_pass(folder, endless, experiment("E2", "order", QUICK), budget=30)
    process = start(found)
    child = wait_for(lambda: child_of(process), "the experiment process")
    os.kill(child, signal.SIGKILL)
    _, err = process.communicate(timeout=100)
    equal(process.returncode, 3, err)
    result = results(found)
    equal(result["E1"]["status"], "FAILED")
    check("signal 9" in result["E1"]["reason"], result["E1"]["reason"])
    reproduced(result["E2"])
    equal([r["end"] for r in processes(found, "E1")], ["failed"], "process records")


@test
def a_hang_ends_at_its_limit(folder):
    endless = experiment("E1", "order", [variant("a", 1000000, operations=1000), variant("b", 1)], budget_seconds=0.1)
    found = make_pass(folder, endless, experiment("E2", "order", QUICK))
    status, _, err = assay("bench", found)
    equal(status, 3, err)
    equal(results(found)["E1"]["status"], "FAILED")
    check("limit" in results(found)["E1"]["reason"], results(found)["E1"]["reason"])
    reproduced(results(found)["E2"])


@test
def out_of_device_memory_is_a_failure_with_its_log(folder):
    big = variant("big", 0, workload="mlp", dim=2048, depth=8, batch=64, memory_budget_mb=50)
    found = make_pass(folder, experiment("E1", "order", [big, variant("b", 1)]), experiment("E2", "order", QUICK))
    equal(assay("bench", found)[0], 3)
    result = results(found)
    equal(result["E1"]["status"], "FAILED", result["E1"]["reason"])
    check("out of memory" in result["E1"]["log"], result["E1"])
    reproduced(result["E2"])


@test
def out_of_host_memory_is_a_failure_with_its_log(folder):
    if "sanitize" in ASSAY:
        raise Skip("a sanitized program's address space cannot be bounded")
    huge = variant("huge", 0, workload="mlp", dim=16384, depth=64, batch=64)
    found = make_pass(folder, experiment("E1", "order", [huge, variant("b", 1)]), experiment("E2", "order", QUICK))
    status, _, err = assay("bench", found)
    equal(status, 3, err)
    result = results(found)
    equal(result["E1"]["status"], "FAILED", result["E1"]["reason"])
    check("out of memory" in result["E1"]["log"], result["E1"])
    reproduced(result["E2"])


@test
def a_second_call_runs_nothing_again(folder):
    bad = experiment("E2", "order", [variant("a", 1, metric="nonsense"), variant("b", 1)])
    found = make_pass(folder, experiment("E1", "order", QUICK), bad)
    equal(assay("bench", found)[0], 3)
    before, first = open(f"{found}/measurements.jsonl", "rb").read(), results(found)
    equal(assay("bench", found)[0], 3)
    equal(open(f"{found}/measurements.jsonl", "rb").read(), before, "measurements.jsonl")
    equal(results(found), first, "results")
    check("nonsense" in first["E2"]["reason"], first["E2"]["reason"])


@test
def editing_the_plan_measures_again_only_what_it_must(folder):
    found = make_pass(folder, experiment("E1", "order", QUICK))
    equal(assay("bench", found)[0], 0)
    before = len(lines(found))
    write_plan(found, experiment("E1", "equal", QUICK, tolerance=0.5))
    assay("bench", found)
    equal(len(lines(found)), before, "lines after a change of the relation")
    check(results(found)["E1"]["status"] in ("NOT REPRODUCED", "INCONCLUSIVE"), results(found)["E1"])
    write_plan(found, experiment("E1", "order", [variant("short", 400, samples=5), QUICK[1]]))
    equal(assay("bench", found)[0], 0)
    check(len(lines(found)) > before, "an edited variant was not measured")
    numbers = [r["process"] for r in processes(found, "E1")]
    equal(sorted(set(numbers)), sorted(numbers), "process numbers")


@test
def an_interruption_keeps_what_was_finished(folder):
    slow = [variant("a", 20000, samples=10), variant("b", 30000, samples=10)]
    found = make_pass(folder, experiment("E1", "order", QUICK),
                      experiment("E2", "order", slow, budget_seconds=60), budget=100)
    process = start(found, "--repeat", "4")
    wait_for(lambda: processes(found, "E2"), "a finished process of E2")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    equal(process.returncode, 130, err)
    result = results(found)
    reproduced(result["E1"])
    equal(result["E2"]["status"], "UNRUN")
    check("interrupted" in result["E2"]["reason"], result["E2"]["reason"])
    before = open(f"{found}/measurements.jsonl", "rb").read()
    status, _, err = assay("bench", found, "--repeat", "4")
    check(status in (0, 1), status, err)
    after = open(f"{found}/measurements.jsonl", "rb").read()
    check(after.startswith(before), "earlier measurements were changed")
    equal(len(processes(found, "E1")), 4, "processes of E1")
    equal(len(processes(found, "E2")), 4, "processes of E2")


@test
def a_torn_last_line_is_passed_over(folder):
    found = make_pass(folder, experiment("E1", "order", QUICK))
    equal(assay("bench", found)[0], 0)
    os.remove(f"{found}/results.json")
    with open(f"{found}/measurements.jsonl", "r+b") as file:
        file.truncate(os.path.getsize(file.name) - 20)
    status, _, err = assay("bench", found)
    equal(status, 0, err)
    reproduced(results(found)["E1"])


@test
def what_does_not_run_says_why(folder):
    skipped = experiment("E2", "order", QUICK, skip_reason="needs two GPUs")
    cuda = experiment("E3", "order", QUICK, device="cuda")
    found = make_pass(folder, experiment("E1", "order", QUICK), skipped, cuda)
    status, out, err = assay("bench", "--list", found)
    check("E1" in out and "needs two GPUs" in out, out)
    check(not os.path.exists(f"{found}/results.json"), "--list measured")
    equal(assay("bench", "--no-bench", found)[0], 3)
    check(all(r["status"] == "UNRUN" and r["reason"] for r in results(found).values()), results(found))
    equal(assay("bench", "--backend", "cpu", found)[0], 3)
    result = results(found)
    reproduced(result["E1"])
    equal(result["E2"]["reason"], "needs two GPUs", "reason")
    check("cuda" in result["E3"]["reason"], result["E3"]["reason"])
    status, _, err = assay("bench", "--only", "E9", found)
    equal(status, 2, err)
    check("E9" in err, err)


@test
def absolute_values_of_another_machine_are_not_comparable(folder):
    claim = experiment("E1", "absolute", QUICK[:1], claimed={"text": "0.5", "unit": "ms", "lo": 0.45, "hi": 0.55},
                       contract={"device": "NVIDIA GeForce RTX 2060", "runtime": "PyTorch 2.6.0"},
                       scaled={"dim": "1536 -> 256"})
    found = make_pass(folder, claim)
    equal(assay("bench", found)[0], 0)
    result = results(found)["E1"]
    equal(result["status"], "NOT COMPARABLE")
    equal([d["field"] for d in result["drift"]], ["device", "runtime", "dim"], "drift")
    equal(result["drift"][2], {"field": "dim", "claimed": "1536", "ours": "256"}, "drift of a scaled parameter")
    check(result["measured"][0]["median"] >= 0.5, result["measured"])


if __name__ == "__main__":
    harness.main(harness.TESTS)
