"""Settings of reports: in whose week and money they are told, and what counts as waste."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.ledger import Whereabouts
from reaper.domain.money.waste import Waits
from reaper.schema import Globs, Mistake, Settings, Span, Zone
from reaper.schema.mail import MailAddresses

_WAITS = Waits()


class WasteSettings(Settings):
    """How long idleness must last, without a break, to be waste instead of a pause."""

    interactive: Span = Field(default=_WAITS.of(Purpose.INTERACTIVE), examples=["30m"])
    """Half an hour: nobody reads code for longer without running any."""
    training: Span | None = Field(default=None, examples=["60m"])
    inference: Span | None = Field(default=None, examples=["60m"])
    deferred: Span | None = Field(default=None, examples=["60m"])
    otherwise: Span = Field(default=_WAITS.otherwise, examples=["60m"])
    """An hour: loading and checkpoints of large models are shorter."""

    def waits(self) -> Waits:
        """Return the thresholds by purpose."""
        named = {
            Purpose.INTERACTIVE: self.interactive,
            Purpose.TRAINING: self.training,
            Purpose.INFERENCE: self.inference,
            Purpose.DEFERRED: self.deferred,
        }
        by_purpose = {purpose: wait for purpose, wait in named.items() if wait is not None}
        return Waits(by_purpose=by_purpose, otherwise=self.otherwise)


class PlaceSettings(Settings):
    """Where nodes stand, for rates that depend on it; the first place that fits a node counts."""

    nodes: Globs = Field(examples=["gpu*"])
    site: str = ""
    labels: Globs = ()
    """As ``key=value``."""


class MailingSettings(Settings):
    """To whom the report is mailed, by the mail server under `notifiers`."""

    to: MailAddresses = Field(default=(), examples=["[gpu-board@example.org]"])
    """Addresses that get the wide report."""
    leads: bool = True
    """Mail each team's report to who leads it by the file of people."""
    pdf: bool = True
    """Attach the report as PDF, which needs the extra of that name; else as an HTML file."""


class DeliverSettings(Settings):
    """
    Where the report of each closed week goes.

    ```yaml
    report:
      deliver:
        folder: /srv/reports
        forms: [html, pdf, markdown]
        slack_channel: C0123456
        mail: {to: [gpu-board@example.org]}
    ```
    """

    folder: Path | None = None
    """Made where it does not exist; the extracts of teams lie in a folder of their own each."""
    forms: tuple[Literal["html", "pdf", "markdown", "csv", "json", "text"], ...] = (
        "html",
        "markdown",
        "json",
    )
    """`pdf` needs the extra of that name."""
    teams: bool = True
    """Write an extract with names for each team, beside the wide report."""
    names: bool = False
    """Name persons and allocations in the wide report too."""
    slack_channel: str = Field(default="", pattern=r"^([CG][A-Z0-9]{2,})?$", examples=["C0123456"])
    """Channel that gets a summary, by the Slack app under `notifiers`."""
    mail: MailingSettings | None = None

    @model_validator(mode="after")
    def _goes_somewhere(self) -> "DeliverSettings":
        if not (self.folder or self.slack_channel or self.mail):
            raise Mistake("names nowhere to go", "write folder, slack_channel or mail")
        return self

    @property
    def prints(self) -> bool:
        """Tell whether a PDF is asked for."""
        return (self.folder is not None and "pdf" in self.forms) or (
            self.mail is not None and self.mail.pdf
        )


class ReportSettings(Settings):
    """In whose week and money figures are told."""

    zone: Zone = "UTC"
    """Zone of the weeks, of working hours and of dates in this file."""
    language: Literal["en", "ru"] = "en"
    """Of what is mailed and posted; pages speak as who reads them."""
    currency: str = Field(default="EUR", pattern=r"^[A-Z]{3}$", examples=["EUR"])
    """Of rates that name none."""
    waste: WasteSettings = WasteSettings()
    places: tuple[PlaceSettings, ...] = ()
    close_after: Span = Field(default=8 * 3600.0, examples=["8h"])
    """How long after its end a week is closed, and its report made: Monday 8 o'clock."""
    least_gpu_hours: float = Field(default=24.0, ge=0)
    """Teams that held less are listed together: few hours shame nobody."""
    deliver: DeliverSettings | None = None
    """Where reports of closed weeks go; nowhere by default, they can be asked for."""

    def whereabouts(self) -> tuple[Whereabouts, ...]:
        """Return the places in their order."""
        return tuple(
            Whereabouts(nodes=place.nodes, site=place.site, labels=place.labels)
            for place in self.places
        )
