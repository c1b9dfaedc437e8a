"""`--executor slurm` on a real single-node Slurm that this test starts and stops."""
import json
import os
import subprocess
import sys
import tempfile
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "e2e"), HERE]
import harness
from harness import ASSAY, Skip, assay, check, equal, load, test
from slurm import Slurm, why_not

RUNNING = {}


def cluster():
    """The one Slurm of this test, started when first asked for."""
    if "why" not in RUNNING:
        RUNNING["why"] = why_not()
        if RUNNING["why"] is None:
            RUNNING["folder"] = tempfile.mkdtemp(prefix="assay-slurm-")
            RUNNING["slurm"] = Slurm(RUNNING["folder"])
            RUNNING["why"] = RUNNING["slurm"].start()
    if RUNNING["why"]:
        raise Skip("no Slurm can be run here: " + RUNNING["why"])
    return RUNNING["slurm"]


def variant(name, microseconds, samples=5):
    return {"name": name, "workload": "null", "boundary": "per-iteration", "metric": "step", "unit": "ms",
            "parameters": {"microseconds": str(microseconds), "samples": str(samples)}}


def experiment(name, variants, **more):
    return {"id": name, "title": f"experiment {name}", "kind": "order", "device": "cpu", "claims": [],
            "variants": variants, "budget_seconds": 2, **more}


def make_pass(folder, *experiments, budget=60):
    found = os.path.join(folder, "passes/b/c/t")
    os.makedirs(found)
    with open(f"{found}/plan.json", "w", encoding="utf-8") as file:
        json.dump({"schema": "assay.plan.v1", "backend": "cpu", "budget_seconds": budget,
                   "experiments": list(experiments)}, file)
    shutil.copy(os.path.join(RUNNING["template"], "pass.json"), found)
    return found


def template():
    """A pass.json to begin from."""
    if "template" not in RUNNING:
        workspace = tempfile.mkdtemp(prefix="assay-slurm-pass-")
        RUNNING["workspace"] = workspace
        status, _, err = assay("run", os.path.join(harness.EXAMPLE, "brief.txt"), "--snapshot",
                               os.path.join(harness.EXAMPLE, "chapter.txt"), "--offline", "--no-bench", "-q",
                               "--out", workspace)
        equal(status, 3, err)
        RUNNING["template"] = harness.passes(workspace)[-1]


def bench(found, *more, env=None):
    return assay("bench", found, "--executor", "slurm", *more, env=env or cluster().env, timeout=200)


def results(found):
    return {r["id"]: r for r in load(found, "results.json")["experiments"]}


def lines(found, schema):
    with open(f"{found}/measurements.jsonl", encoding="utf-8") as file:
        return [line for line in map(json.loads, file) if line["schema"] == schema]


@test
def processes_run_as_jobs_and_decide_a_verdict(folder):
    slurm = cluster()
    template()
    found = make_pass(folder, experiment("E1", [variant("short", 500), variant("long", 8000)]))
    status, _, err = bench(found)
    check(status in (0, 3), status, err)
    result = results(found)["E1"]
    check(result["status"] in ("REPRODUCED", "INCONCLUSIVE"), result["status"], result["reason"])
    finished = lines(found, "assay.process.v1")
    check(len(finished) >= 3, finished)
    environments = {line["id"] for line in lines(found, "assay.environment.v1")}
    check(all(p["environment"] in environments for p in finished), "the node's environment is not recorded")
    jobs = slurm.ask("scontrol", "--oneliner", "show", "jobs")
    check(jobs.count("JobName=assay-bench") >= 3, jobs)
    check(not [n for n in os.listdir(found) if n.startswith("slurm-")], "files of the jobs were left behind")


@test
def a_process_that_fails_on_the_node_is_failed_with_its_log(folder):
    cluster()
    template()
    broken = dict(variant("a", 10), metric="nonsense")
    found = make_pass(folder, experiment("E1", [broken, variant("b", 20)]))
    bench(found)
    result = results(found)["E1"]
    equal(result["status"], "FAILED", result["reason"])
    check("nonsense" in result["reason"] + result["log"], result)


@test
def a_cancelled_job_is_named(folder):
    slurm = cluster()
    template()
    found = make_pass(folder, experiment("E1", [variant("a", 500000, 40), variant("b", 500000, 40)]), budget=120)
    process = subprocess.Popen([ASSAY, "bench", found, "--executor", "slurm", "--repeat", "1"],
                               env={**os.environ, **slurm.env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running = lambda: slurm.ask("squeue", "--noheader", "--states=RUNNING", "--format=%A").split()
    check(slurm.wait(running), "the job did not start")
    slurm.ask("scancel", *running())
    _, err = process.communicate(timeout=90)
    result = results(found)["E1"]
    equal(result["status"], "UNRUN", err.decode())
    check("CANCELLED" in result["reason"] and "job " in result["reason"], result["reason"])


@test
def an_interruption_cancels_the_jobs(folder):
    slurm = cluster()
    template()
    found = make_pass(folder, experiment("E1", [variant("a", 500000, 40), variant("b", 500000, 40)]), budget=120)
    process = subprocess.Popen([ASSAY, "bench", found, "--executor", "slurm", "--repeat", "1"],
                               env={**os.environ, **slurm.env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    live = lambda: slurm.ask("squeue", "--noheader", "--states=RUNNING,PENDING", "--format=%A").split()
    check(slurm.wait(live), "no job was submitted")
    process.terminate()
    process.communicate(timeout=60)
    equal(process.returncode, 130)
    check(slurm.wait(lambda: not live()), "the job goes on")
    check("interrupted" in results(found)["E1"]["reason"], results(found)["E1"]["reason"])


@test
def without_slurm_the_reason_is_given(folder):
    template()
    found = make_pass(folder, experiment("E1", [variant("short", 500), variant("long", 8000)]))
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    bench(found, env={"PATH": empty})
    result = results(found)["E1"]
    equal(result["status"], "UNRUN")
    check("sbatch" in result["reason"], result["reason"])


if __name__ == "__main__":
    try:
        harness.main(harness.TESTS)
    finally:
        if "slurm" in RUNNING:
            RUNNING["slurm"].stop()
        for name in ("folder", "workspace"):
            shutil.rmtree(RUNNING.get(name, ""), ignore_errors=True)
