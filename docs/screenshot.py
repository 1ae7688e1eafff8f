# ruff: noqa: INP001 - a script, no package
"""
Draw the screenshots of the README from an invented cluster: ``python docs/screenshot.py``.

Needs chromium, and looks best where the fonts Inter and JetBrains Mono are installed.
"""

import sys
from datetime import UTC
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from playwright.sync_api import sync_playwright  # noqa: E402 - the path must be set before

from reaper.web.access.visitor import LOCAL  # noqa: E402
from reaper.web.html.page import Guest, Look, Page  # noqa: E402
from tests.builders_gallery import gallery  # noqa: E402
from tests.builders_picture import NOW  # noqa: E402
from tests.components import find  # noqa: E402

SIZE: Final = {"width": 1280, "height": 880}
ARGUMENTS: Final = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]


def main() -> None:
    """Write screenshot.png and screenshot-dark.png beside this file."""
    page = Page(Look(zone=UTC, version="0.1.0"))
    text = page.overview(gallery(holds=()), guest=Guest(now=NOW, nonce="n", visitor=LOCAL))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find("chromium"), args=ARGUMENTS)
        for scheme, name in (("light", "screenshot.png"), ("dark", "screenshot-dark.png")):
            view = browser.new_page(viewport=SIZE, color_scheme=scheme)
            view.set_content(text)
            view.screenshot(path=HERE / name)
        browser.close()


if __name__ == "__main__":
    main()
