"""The program ``gpu-exporter``: reads the command line and starts what the root composes."""

import asyncio
import logging
import sys
from typing import Any

import click

from exporter.collectors.sight import GRES_MAP, JOBSTATS_MAP
from exporter.config import Config, check
from exporter.options import CONTROL, DEFAULT_PORT, KERNEL_LOG, RELEASE_FILE, Options


@click.group(
    invoke_without_command=True,
    context_settings={"auto_envvar_prefix": "GPU_EXPORTER", "show_default": True},
)
@click.option("--listen", default=f"127.0.0.1:{DEFAULT_PORT}", help="Address to serve on.")
@click.option("--driver", type=click.Choice(["nvml", "simulated"]), default="nvml")
@click.option("--node", help="The node's name as its scheduler knows it  [host name].")
@click.option("--period", type=float, help="Seconds between activity samples  [1].")
@click.option("--call-timeout", type=float, default=5.0, help="Seconds a driver call may take.")
@click.option("--people/--no-people", default=True, help="Serve /metrics/people at all.")
@click.option(
    "--web.config.file",
    "web_config_file",
    envvar="GPU_EXPORTER_WEB_CONFIG_FILE",
    default="",
    help="TLS and passwords, in the format of Prometheus' exporter-toolkit.",
)
@click.option("--max-requests", default=40, help="Requests served at a time; more get 503.")
@click.option("--operator", multiple=True, help="Name that may POST /release; again for more.")
@click.option("--control", default=CONTROL, help="Local socket of release, resume and doctor.")
@click.option("--release-file", default=RELEASE_FILE, help="While it exists, let the driver go.")
@click.option("--kernel-log", default=KERNEL_LOG, help="Where Xids are read; empty: nowhere.")
@click.option("--scenario", default="", help="Scenario that the simulated driver plays.")
@click.option("--scenario-start", type=float, help="Unix second at which it starts to play.")
@click.option("--holders", default="", help="File of real processes on simulated GPUs.")
@click.option("--state", default="", help="Folder that names released scenario allocations.")
@click.option("--clock-rate", type=float, default=1.0, help="Fast clock: seconds a real second.")
@click.option("--clock-epoch", type=float, help="Fast clock: Unix second of agreement.")
@click.option("--clock-file", default="", help="Clock that runs as fast as this file says.")
@click.option("--proc-root", default="/proc", help="Where the kernel shows processes.")
@click.option("--sys-root", default="/sys", help="Where the kernel shows modules.")
@click.option("--cgroup-root", default="/sys/fs/cgroup", help="Where control groups are mounted.")
@click.option(
    "--gres-map", default=GRES_MAP, help="Folder: a file per GRES index, holding a GPU UUID."
)
@click.option("--jobstats-map", default=JOBSTATS_MAP, help="Folder of jobstats' prolog.")
@click.option("--dcgm-map", default="", help="Folder of dcgm-exporter's job mapping.")
@click.option("--kubelet-socket", default="", help="The kubelet's pod-resources socket.")
@click.option(
    "--dcgm-url", default="", help="Page of this node's dcgm-exporter, for GPUs before Hopper."
)
@click.option("--dcgm-interval", default=30.0, help="Its collection interval in seconds.")
@click.option("--dcgm-remote", is_flag=True, help="Let --dcgm-url leave this machine.")
@click.option("--once", is_flag=True, help="Print the pages and exit; 1 when there is no GPU.")
@click.option("--debug-dump", is_flag=True, help="Print what a bug report needs, and exit.")
@click.version_option(package_name="gpu-reaper")
@click.pass_context
def main(context: click.Context, /, **words: Any) -> None:  # noqa: ANN401 - what the options declare
    """Measure the GPUs of this node and say who holds them."""
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    options = context.obj = Options(**words)
    if context.invoked_subcommand is None:
        _run(options, check(options))


def _run(options: Options, config: Config) -> None:
    from exporter import app

    if options.debug_dump:
        from exporter.debug import dump

        click.echo(asyncio.run(app.examine(config, dump)))
    elif options.once:
        text, gpus = asyncio.run(app.once(config))
        click.echo(text, nl=False)
        sys.exit(0 if gpus else 1)
    else:
        asyncio.run(app.serve(config))


@main.command()
@click.option("--for", "length", default="10m", help="How long: 10s to 1h.")
@click.option("--reason", default="", help="Why, for the page and the log.")
@click.pass_obj
def release(options: Options, length: str, reason: str) -> None:
    """Let the driver go, for a MIG change, a reset or an upgrade; by itself it comes back."""
    _ask(options, "/release", {"for": length, "reason": reason})


@main.command()
@click.pass_obj
def resume(options: Options) -> None:
    """Take the driver up again before the time."""
    _ask(options, "/resume", {})


@main.command()
@click.pass_obj
def doctor(options: Options) -> None:
    """Say what works, what does not, and what to do about it.

    Asks the exporter that runs here, for its rights count; without one it looks by itself.
    """
    from exporter import caller

    try:
        answer = asyncio.run(caller.get(options.control, "/doctor"))
        click.echo(answer.text, nl=False)
    except caller.Unreachable as error:
        from exporter import app
        from exporter.doctor import report

        click.echo(f"No exporter was asked ({error}); this is what you yourself could see.\n")
        click.echo(asyncio.run(app.examine(check(options), report)), nl=False)


def _ask(options: Options, path: str, words: dict[str, str]) -> None:
    from exporter import caller

    try:
        answer = asyncio.run(caller.post(options.control, path, words))
    except caller.Unreachable as error:
        raise click.ClickException(str(error)) from error
    if not answer.ok:
        raise click.ClickException(answer.text.strip())
    click.echo(answer.text, nl=False)


if __name__ == "__main__":
    main()
