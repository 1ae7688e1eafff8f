"""The program ``gpu-exporter``: reads the command line and starts what the root composes."""

import asyncio
import logging
import sys
from typing import Any

import click

from exporter.collectors.sight import GRES_MAP, JOBSTATS_MAP
from exporter.config import DEFAULT_PORT, Options, check


@click.command(context_settings={"auto_envvar_prefix": "GPU_EXPORTER", "show_default": True})
@click.option("--listen", default=f"127.0.0.1:{DEFAULT_PORT}", help="Address to serve on.")
@click.option("--driver", type=click.Choice(["nvml", "simulated"]), default="nvml")
@click.option("--node", default="", help="The node's name as its scheduler knows it  [host name].")
@click.option("--period", type=float, help="Seconds between activity samples  [1].")
@click.option("--call-timeout", type=float, default=5.0, help="Seconds a driver call may take.")
@click.option("--people/--no-people", default=True, help="Serve /metrics/people at all.")
@click.option("--auth-file", default="", help="Credentials that open the pages, one a line.")
@click.option("--tls-cert", default="", help="Certificate chain (PEM).")
@click.option("--tls-key", default="", help="Private key (PEM).")
@click.option("--scenario", default="", help="Scenario that the simulated driver plays.")
@click.option("--scenario-start", type=float, help="Unix second at which it starts to play.")
@click.option("--holders", default="", help="File of real processes on simulated GPUs.")
@click.option("--state", default="", help="Folder that names released scenario allocations.")
@click.option("--clock-rate", type=float, default=1.0, help="Fast clock: seconds a real second.")
@click.option("--clock-epoch", type=float, help="Fast clock: Unix second of agreement.")
@click.option("--proc-root", default="/proc", help="Where the kernel shows processes.")
@click.option("--sys-root", default="/sys", help="Where the kernel shows modules.")
@click.option("--cgroup-root", default="/sys/fs/cgroup", help="Where control groups are mounted.")
@click.option(
    "--gres-map", default=GRES_MAP, help="Folder: a file per GRES index, holding a GPU UUID."
)
@click.option("--jobstats-map", default=JOBSTATS_MAP, help="Folder of jobstats' prolog.")
@click.option("--dcgm-map", default="", help="Folder of dcgm-exporter's job mapping.")
@click.option("--kubelet-socket", default="", help="The kubelet's pod-resources socket.")
@click.option("--once", is_flag=True, help="Print the pages and exit; 1 when there is no GPU.")
@click.version_option(package_name="gpu-reaper")
def main(**words: Any) -> None:  # noqa: ANN401 - click passes what the options above declare
    """Measure the GPUs of this node and say who holds them."""
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    options = Options(**words)
    config = check(options)
    from exporter import app

    if options.once:
        text, gpus = asyncio.run(app.once(config))
        click.echo(text, nl=False)
        sys.exit(0 if gpus else 1)
    asyncio.run(app.serve(config))


if __name__ == "__main__":
    main()
