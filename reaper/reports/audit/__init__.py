"""
The audit before install: what a site's own books say of its GPUs, from nothing but averages.

It knows how recorded jobs become a load profile, bounds of waste and what policies would have
returned, how that is written, and one CSV form of its own.
It refuses to know schedulers, and to say more than averages can: every figure is a bound with its
assumption, what nobody recorded is unknown, and what could not be read is listed.
"""

from reaper.reports.audit.pages import PAGES
from reaper.reports.audit.report import Auditing, AuditReport, AuditTerms, as_percent, audited
from reaper.reports.audit.table import FORM, read_csv

__all__ = [
    "FORM",
    "PAGES",
    "AuditReport",
    "AuditTerms",
    "Auditing",
    "as_percent",
    "audited",
    "read_csv",
]
