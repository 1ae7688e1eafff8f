"""The program ``gpu-reaper``."""

import io
import sys

from reaper.cli.main import cli


def main() -> None:
    """Run the command line; ends the process.  What a terminal cannot show is `?` there."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    cli(prog_name="gpu-reaper")


if __name__ == "__main__":
    main()
