"""What an operator writes of workloads: whose they are, what they are for, how cards are shared."""

from collections.abc import Mapping

from pydantic import Field

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.kubernetes.objects import USUAL, Resources
from reaper.platforms.kubernetes.ownership.claiming import Configured
from reaper.platforms.kubernetes.ownership.purpose import Rule
from reaper.platforms.kubernetes.ownership.whose import Landlord, Words
from reaper.schema import Globs, Settings


class PurposeRule(Settings):
    """Workloads that fit every given pattern are of this class; the first rule that fits wins."""

    purpose: Purpose = Field(alias="class")
    namespace: Globs = ()
    kind: Globs = ()
    """As Kubernetes writes it (Deployment); small letters do as well."""
    name: Globs = ()
    queue: Globs = ()
    """Kueue's local queue."""
    priority_class: Globs = ()

    def rule(self) -> Rule:
        """Return it as the pure rule."""
        return Rule(
            purpose=self.purpose,
            namespace=self.namespace,
            kind=self.kind,
            name=self.name,
            queue=self.queue,
            priority_class=self.priority_class,
        )


class Owners(Settings):
    """Workloads in these namespaces are this owner's and team's, where no platform says so."""

    namespace: Globs
    owner: str = ""
    team: str = ""

    def landlord(self) -> Landlord:
        """Return it as the pure word."""
        return Landlord(namespace=self.namespace, owner=self.owner, team=self.team)


class WorkloadSettings(Settings):
    """How pods become claims."""

    resources: Globs = USUAL
    """The extended resources that are GPUs, by patterns; renamed ones are listed here."""
    replicas: Mapping[str, int] = Field(default_factory=dict)
    """By how many the cards behind a resource are shared, where no label of a node tells."""
    purposes: tuple[PurposeRule, ...] = ()
    owners: tuple[Owners, ...] = ()
    """The administrator's map; the first that fits wins."""
    creator: str = ""
    """The annotation that an admission policy sets to who made an object; nobody else may."""
    jupyterhub: Globs = ()
    """Namespaces in which only a hub makes pods: its word on their user is taken."""
    coder: Globs = ()
    """Namespaces in which only Coder makes pods: its word on their user is taken."""
    keeps: Globs = ()
    """
    Namespaces in which whoever may edit a workload is of its owner's group.

    There ``gpu-reaper.io/keep`` counts; elsewhere anybody with rights could keep what is another's.
    """

    def configured(self) -> Configured:
        """Return what of it claims are made by."""
        return Configured(
            rules=tuple(rule.rule() for rule in self.purposes),
            words=Words(
                creator=self.creator,
                hubs=self.jupyterhub,
                coder=self.coder,
                owners=tuple(one.landlord() for one in self.owners),
            ),
            replicas=self.replicas,
        )

    def gpus(self) -> Resources:
        """Return which resources are GPUs."""
        return Resources(self.resources)
