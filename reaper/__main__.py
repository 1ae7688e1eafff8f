"""The program ``gpu-reaper``."""

from reaper.cli.main import cli


def main() -> None:
    """Run the command line; ends the process."""
    cli(prog_name="gpu-reaper")


if __name__ == "__main__":
    main()
