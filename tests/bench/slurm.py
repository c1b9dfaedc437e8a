"""A real single-node Slurm for a test: munged, slurmctld and slurmd on the loopback, in a folder of their own."""
import os
import shutil
import signal
import socket
import subprocess
import time

DAEMONS = ("munged", "slurmctld", "slurmd")
CONF = """ClusterName=assay
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=1 Boards=1 SocketsPerBoard=1 CoresPerSocket=1 ThreadsPerCore=1 State=UNKNOWN
PartitionName=only Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """None when a Slurm can be started here, else the reason."""
    path = os.environ["PATH"] + ":/usr/sbin"
    missing = [name for name in (*DAEMONS, "sbatch", "squeue", "scancel") if not shutil.which(name, path=path)]
    if missing:
        return f"{', '.join(missing)} not installed (Debian: munge slurmctld slurmd slurm-client)"
    if os.geteuid() != 0:
        return "Slurm's daemons want root"
    return None


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Slurm:
    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self.env = {"SLURM_CONF": f"{folder}/slurm.conf", "PATH": os.environ["PATH"] + ":/usr/sbin"}
        for name, mode in (("state", 0o755), ("spool", 0o755), ("munge", 0o700)):
            os.mkdir(f"{folder}/{name}", mode)
        with open(f"{folder}/munge/key", "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(f"{folder}/munge/key", 0o400)
        os.chmod(folder, 0o755)
        with open(f"{folder}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONF.format(host=socket.gethostname().split(".")[0], folder=folder, user="root",
                                   ports=[free_port(), free_port()]))

    def start(self):
        f = self.folder
        self.daemon("munged", "--foreground", "--force", f"--socket={f}/munge.sock", f"--key-file={f}/munge/key",
                    f"--pid-file={f}/munge/pid", f"--log-file={f}/munge/log", f"--seed-file={f}/munge/seed")
        if not self.wait(lambda: os.path.exists(f"{f}/munge.sock")):
            return "munged does not start"
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        if not self.wait(lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%t")):
            return "the node does not become idle: " + self.tail()
        return None

    def daemon(self, *command):
        log = open(f"{self.folder}/{command[0]}.out", "wb")
        self.processes.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                                               env={**os.environ, **self.env}))

    def ask(self, *command):
        try:
            done = subprocess.run(command, capture_output=True, env={**os.environ, **self.env}, timeout=20, check=False)
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.decode("utf-8", "replace")

    @staticmethod
    def wait(condition, seconds=30):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if condition():
                return True
            time.sleep(0.2)
        return False

    def tail(self):
        with open(f"{self.folder}/slurmd.log", encoding="utf-8", errors="replace") as file:
            return file.read()[-300:]

    def stop(self):
        self.ask("scancel", "--user=root")
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
