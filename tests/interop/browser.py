"""Debian's Chromium, driven by Playwright: opens pages and notes all that a page must not do."""

import contextlib
import shutil

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

WIDTHS = (390, 1280)
THEMES = ("light", "dark")


@contextlib.contextmanager
def browser():
    program = shutil.which("chromium")
    assert program, "the test needs Debian's package chromium"
    with sync_playwright() as playwright:
        # Without a sandbox, because tests run as root in containers.
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextlib.contextmanager
def opened(chromium, address, width=1280, theme="light", script=True):
    """Yields a page, and afterwards expects that it said nothing on its console and asked for nothing but itself."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, java_script_enabled=script
    )
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    yield page
    assert said == [], said
    origin = address.split("#")[0]
    others = [url for url in asked if url.split("#")[0] != origin]
    assert others == [], others
    context.close()


def accessible(page, where):
    """Expects that axe-core finds nothing serious or critical on the page as it is shown now."""
    found = Axe().run(page).response["violations"]
    bad = [
        f"{each['id']}: {each['help']}: {[node['html'][:200] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert bad == [], f"{where}: " + "\n".join(bad)


def fits(page, where):
    """Expects that the page does not scroll sideways; only frames within it may."""
    wide, seen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= seen, f"{where}: {wide} px in a window of {seen} px"
