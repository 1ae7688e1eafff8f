"""Every channel there is, for the contract suite."""

from tests.channels import (
    CONSOLE,
    SLACK,
    Channel,
    console,
    slack_direct,
    slack_operators,
)
from tests.channels_of_site import (
    MAIL,
    MAILBOX,
    TERMINAL,
    WEBHOOK,
    hook,
    local_mailbox,
    mail,
    terminal,
)

CHANNELS = (
    Channel("console", False, console, CONSOLE),
    Channel("mail", True, mail, MAIL),
    Channel("mailbox", True, local_mailbox, MAILBOX),
    Channel("webhook", False, hook, WEBHOOK),
    Channel("terminal", False, terminal, TERMINAL),
    Channel("slack", True, slack_direct, SLACK),
    Channel("slack-operators", False, slack_operators, SLACK),
)
