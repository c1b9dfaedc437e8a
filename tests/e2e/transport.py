"""Fetching with the transport alone (fetch_urls), within limits that suit a test."""
import json
import os
import subprocess

import hostile
from harness import ASSAY, Skip, equal

LIMITS = "connect_ms=2000,stall_ms=1000,exchange_ms=4000,request_ms=30000,tries=3,backoff_ms=50,pause_ms=5"
# For what must succeed, also where the machine is busy with something else.
PATIENT = "request_ms=90000,tries=3,backoff_ms=50,pause_ms=5"
TOOL = os.path.join(os.path.dirname(ASSAY), "tests", "fetch_urls")
TEXT = hostile.TEXT


def fetch(urls, *options, limits=LIMITS, folder=None):
    """Results in the order of the URLs."""
    if not os.path.exists(TOOL):
        raise Skip("fetch_urls is not built (make unit-tests)")
    environment = dict(os.environ, ASSAY_FETCH_LIMITS=limits)
    if folder:
        environment["XDG_CACHE_HOME"] = folder
    done = subprocess.run([TOOL, *map(str, options)], input="\n".join(urls).encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=200, env=environment)
    equal(done.returncode, 0, done.stderr.decode())
    return [json.loads(line) for line in done.stdout.decode().splitlines()]
