"""What the bench records and sees of a GPU, from a stand-in for NVIDIA's management library built here."""
import hashlib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
import harness
from harness import ROOT, assay, check, equal, test

BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))


def fake(folder, **state):
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", f"{folder}/libnvidia-ml.so.1",
                    os.path.join(HERE, "fake_nvml.c")], check=True)
    return {"LD_LIBRARY_PATH": folder, "CUDA_VISIBLE_DEVICES": "0", **state}


def environment_of(env):
    status, out, err = assay("doctor", "--json", env=env)
    check(status in (0, 3), status, err)
    found = []

    def search(value):
        if isinstance(value, dict):
            if "kernel" in value and "cpu_cores" in value:
                found.append(value)
            for part in value.values():
                search(part)
        elif isinstance(value, list):
            for part in value:
                search(part)
    search(json.loads(out))
    return found[0]


def watched(env):
    done = subprocess.run([f"{BUILD}/tests/gpu_watch"], capture_output=True, check=True, env={**os.environ, **env})
    return done.stdout.decode().splitlines()


@test
def the_gpu_is_part_of_the_environment(folder):
    fields = environment_of(fake(folder))
    for name, value in {"gpu": "NVIDIA Test 9000", "gpu_driver": "570.01", "gpu_driver_cuda": "12.8",
                        "gpu_capability": "7.5", "gpu_memory": "12.0 GiB", "gpu_memory_used": "3.00 GiB",
                        "gpu_clock": "1680 MHz", "gpu_clock_most": "2100 MHz", "gpu_power": "45.5 W",
                        "gpu_temperature": "61 C", "gpu_display": "on", "gpu_persistence": "off"}.items():
        equal(fields.get(name), value, name)
    equal(fields["gpu_id"], hashlib.sha256(b"GPU-0123").hexdigest()[:12], "hashed identity")
    check("GPU-0123" not in json.dumps(fields), "the identity is written out")
    check("gpu_ecc" not in fields, "a state that is not supported was recorded")


@test
def without_a_working_driver_nothing_is_said(folder):
    fields = environment_of(fake(folder, FAKE_BROKEN="1"))
    check(not [name for name in fields if name.startswith("gpu")], fields)
    equal(watched(fake(folder, FAKE_BROKEN="1")), ["no GPU"])


@test
def a_quiet_gpu_disturbs_nothing(folder):
    equal(watched(fake(folder, FAKE_LOAD="0,95")), [])


@test
def throttling_other_work_and_falling_clocks_are_seen(folder):
    equal(watched(fake(folder, FAKE_REASONS="1,0x24")), ["the GPU was throttled: power cap, heat, by software"])
    equal(watched(fake(folder, FAKE_LOAD="40,95")), ["the GPU was 40 % busy with others' work before it"])
    equal(watched(fake(folder, FAKE_LOAD="0,95", FAKE_CLOCK="1980,1580")),
          ["the GPU's clock fell from 1980 to 1580 MHz under load"])


if __name__ == "__main__":
    harness.main(harness.TESTS)
