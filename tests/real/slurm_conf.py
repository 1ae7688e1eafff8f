"""The configuration of the small Slurm cluster that the tests start: pure text, no files read."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A pretended GPU node; `model` is the type in its GRES, "" for an untyped one."""

    name: str
    gpus: int
    model: str = "a100"

    @property
    def gres(self) -> str:
        return f"gpu:{self.model}:{self.gpus}" if self.model else f"gpu:{self.gpus}"


NODES = (
    Node(name="gpu01", gpus=4),
    Node(name="gpu02", gpus=4),
    Node(name="gpu03", gpus=8, model="h100"),
    Node(name="gpu04", gpus=2, model=""),
)

#: The account that acts, with the rights of an operator; the owners; nobody in particular.
OPERATOR = "gr-reaper"
OWNERS = ("gr-mira", "gr-otto")
USERS = (OPERATOR, *OWNERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where the cluster lies and where its daemons listen."""

    root: Path
    host: str
    controller: int
    accounting: int
    database: int
    nodes: tuple[int, ...]
    cgroup: str
    """"cgroup/v1", "cgroup/v2", or "" where jobs cannot be confined on this machine."""

    @property
    def socket(self) -> Path:
        return self.root / "munge/sock"

    @property
    def first_job(self) -> int:
        """Return where job ids begin: apart from those of any other cluster on this machine."""
        return self.controller * 1000

    @property
    def slurm_conf(self) -> Path:
        return self.root / "etc/slurm.conf"


def files(site: Site) -> dict[str, str]:
    """Return every configuration file by its name under ``etc``."""
    return {
        "slurm.conf": slurm(site),
        "gres.conf": gres(site),
        "cgroup.conf": cgroup(site),
        "slurmdbd.conf": slurmdbd(site),
    }


def slurm(site: Site) -> str:
    confined = "cgroup" if site.cgroup else "linuxproc"
    root = site.root
    lines = [
        "ClusterName=grove",
        f"SlurmctldHost={site.host}(127.0.0.1)",
        f"SlurmctldPort={site.controller}",
        # Cgroups are named after nodes and jobs: two clusters on a machine must not share them.
        f"FirstJobId={site.first_job}",
        "SlurmUser=root",
        "SlurmdUser=root",
        "AuthType=auth/munge",
        # A requeued job waits for its credential to expire: 2 minutes unless this is short.
        f"AuthInfo=socket={site.socket},cred_expire=5",
        "CredType=cred/munge",
        f"StateSaveLocation={root}/state",
        f"SlurmdSpoolDir={root}/spool-%n",
        f"SlurmctldPidFile={root}/run/slurmctld.pid",
        f"SlurmdPidFile={root}/run/slurmd-%n.pid",
        f"SlurmctldLogFile={root}/log/slurmctld.log",
        f"SlurmdLogFile={root}/log/slurmd-%n.log",
        f"ProctrackType=proctrack/{confined}",
        f"TaskPlugin=task/{'cgroup' if site.cgroup else 'none'}",
        "JobAcctGatherType=jobacct_gather/linux",
        "CommunicationParameters=NoCtldInAddrAny",
        "SelectType=select/cons_tres",
        "SelectTypeParameters=CR_Core",
        "SchedulerType=sched/backfill",
        "SchedulerParameters=sched_interval=1,sched_min_interval=100000,bf_interval=2,batch_sched_delay=0",
        "ReturnToService=2",
        "MinJobAge=300",
        "KillWait=2",
        "MailProg=/bin/true",
        "JobRequeue=1",
        "PrivateData=jobs",
        "GresTypes=gpu",
        "AccountingStorageType=accounting_storage/slurmdbd",
        "AccountingStorageHost=127.0.0.1",
        f"AccountingStoragePort={site.accounting}",
        f"AccountingStoragePass={site.socket}",
        "AccountingStorageTRES=gres/gpu",
        "SlurmdParameters=config_overrides",
        "LaunchParameters=use_interactive_step",
    ]
    lines += [_node(site, node, port) for node, port in zip(NODES, site.nodes, strict=True)]
    lines += [
        "PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 State=UP",
        "PartitionName=interactive Nodes=ALL MaxTime=12:00:00 DefaultTime=60 State=UP",
    ]
    return "\n".join(lines) + "\n"


def _node(site: Site, node: Node, port: int) -> str:
    return (
        f"NodeName={node.name} NodeHostname={site.host} NodeAddr=127.0.0.1 Port={port} CPUs=32"
        f" Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=64000 Gres={node.gres}"
    )


def gres(site: Site) -> str:
    lines = ["AutoDetect=off"]
    for node in NODES:
        model = f"Type={node.model} " if node.model else ""
        devices = f"{site.root}/dev/nvidia[0-{node.gpus - 1}]"
        lines.append(f"NodeName={node.name} Name=gpu {model}File={devices}")
    return "\n".join(lines) + "\n"


def cgroup(site: Site) -> str:
    if not site.cgroup:
        return ""
    lines = [f"CgroupPlugin={site.cgroup}", "ConstrainDevices=yes"]
    if site.cgroup == "cgroup/v2":
        lines.append("IgnoreSystemd=yes")
    return "\n".join(lines) + "\n"


def slurmdbd(site: Site) -> str:
    root = site.root
    return f"""AuthType=auth/munge
AuthInfo=socket={site.socket}
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={site.accounting}
SlurmUser=root
PidFile={root}/run/slurmdbd.pid
LogFile={root}/log/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={site.database}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct_db
"""
