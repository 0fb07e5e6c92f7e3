"""`knead board` in Chromium: every page, live values, comparison; nothing else is asked, and nothing of a hostile run runs.

usage: board_test.py KNEAD ROOT
"""

import contextlib
import fcntl
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from browser import THEMES, WIDTHS, accessible, browser, fits
from playwright.sync_api import expect


class WrittenRun:
    """A folder of a run that is written as training would."""

    def __init__(self, folder):
        folder.mkdir(parents=True)
        self.folder = folder
        self.lock = open(folder / "LOCK", "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.lock.write("1\nhost\n2026-01-01 00:00:00\n")
        self.lock.flush()
        (folder / "resolved.yaml").write_text(
            "version: 1\ntrain: {until: 1000 steps}\nevaluate: {monitor: validation/accuracy, metrics: [{type: accuracy}]}\n"
        )

    def report(self, step, loss):
        line = dict(step=step, epoch=step / 47, samples=step * 32, time=step / 100, loss=loss, lr=0.001)
        line.update(gradient_norm=1.5, samples_per_second=3200, data_wait=0, skipped=0)
        with open(self.folder / "metrics.jsonl", "a") as journal:
            journal.write(json.dumps(line) + "\n")

    def evaluated(self, step, accuracy):
        with open(self.folder / "evaluations.jsonl", "a") as journal:
            journal.write(json.dumps(dict(step=step, set="validation", loss=1 - accuracy, accuracy=accuracy, seconds=0.1)) + "\n")


@contextlib.contextmanager
def board(program, folder):
    with subprocess.Popen([program, "board", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
        assert process.wait(timeout=5) == 0


def is_live(page):
    expect(page.locator("#live")).to_have_text("live")


@contextlib.contextmanager
def opened(chromium, address, target="", width=1280, theme="light", script=True):
    """Yields a page of the board, and afterwards expects that its console is empty and it asked for nothing else."""
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=theme, java_script_enabled=script)
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + target)
    if script:
        is_live(page)
    yield page
    assert said == [], said
    assert all(url.startswith(address) for url in asked), asked
    assert context.cookies() == []
    context.close()


def test_list_grows(chromium, address, run):
    with opened(chromium, address) as page:
        row = page.locator("tr", has_text="digits")
        assert "1.000" in row.inner_text()
        page.locator("th button", has_text="loss").click()
        run.report(300, 0.125)
        expect(page.locator("main")).to_contain_text("0.1250")
        assert page.locator("th[aria-sort]").inner_text() == "loss"  # as the reader has left it
        WrittenRun(run.folder.parent / "later").report(10, 3)
        expect(page.locator("main")).to_contain_text("later")


def test_run_grows(chromium, address, run):
    with opened(chromium, address) as page:
        page.locator("a.run", has_text="digits").click()
        is_live(page)
        page.locator("input[name=smoothing]").fill("0.5")
        page.mouse.move(5, 5)
        before = page.locator(".plot .line").first.get_attribute("d")
        for step in (400, 500, 600):
            run.report(step, 5)
        run.evaluated(600, 0.75)
        expect(page.locator("main")).to_contain_text("0.75")
        assert page.locator(".plot .line").first.get_attribute("d") != before
        assert page.locator("input[name=smoothing]").input_value() == "0.5"
        page.locator("nav.board a", has_text="all runs").click()
        assert page.locator("a.run").count() > 1


def test_reader_is_not_disturbed(chromium, address, run):
    with opened(chromium, address, "run?name=digits") as page:
        page.locator(".plot").first.hover(position={"x": 300, "y": 80})
        run.report(700, 9.75)
        expect(page.locator("#live")).to_contain_text("new values")
        shown = page.locator("main").inner_text()
        time.sleep(2)
        assert page.locator("main").inner_text() == shown
        page.mouse.move(5, 5)
        is_live(page)


def test_comparison(chromium, address):
    with opened(chromium, address) as page:
        assert page.locator("a.compare").inner_text() == "pick runs to compare them"
        picks = page.locator("input.pick")
        picks.nth(0).check()
        picks.nth(1).check()
        page.locator("a.compare").click()
        page.wait_for_url("**/compare?*")
        assert page.locator("figure svg .line").count() > 1


def test_without_script(chromium, address):
    for target in ("", "run?name=digits"):
        with opened(chromium, address, target, script=False) as page:
            assert "digits" in page.locator("body").inner_text()


def test_accessible(chromium, address):
    for target in ("", "run?name=digits"):
        for width in WIDTHS:
            for theme in THEMES:
                with opened(chromium, address, target, width, theme) as page:
                    fits(page, f"{target}, {width} px")
                    accessible(page, f"{target}, {width} px, {theme}")


def test_hostile_names(chromium, address):
    with opened(chromium, address) as page:
        assert page.locator("main img").count() == 0
        page.locator("a.run", has_text="onerror").click()
        is_live(page)
        assert page.locator("main img").count() == 0
        assert "</script>" in page.locator("main").inner_text()


def test_other_pages_learn_nothing(chromium, address):
    """A page of another origin asks the board, by its address and without its token."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto("data:text/html,<title>other</title>")
    for url in (address, address + "events?folder="):
        answer = page.evaluate("url => fetch(url).then(answer => answer.text()).catch(() => 'refused')", url)
        assert answer == "refused", answer
    framed = page.evaluate(
        """url => new Promise(resolve => {
             const frame = document.createElement("iframe");
             frame.onload = () => { try { resolve(frame.contentDocument ? "own" : "hidden"); } catch { resolve("hidden"); } };
             frame.src = url;
             document.body.append(frame);
           })""",
        address,
    )
    assert framed == "hidden", framed
    assert all("knead" not in frame.content() for frame in page.frames[1:])
    context.close()


def test_end_is_said(chromium, program, folder):
    context = chromium.new_context()
    page = context.new_page()
    with board(program, folder) as address:
        page.goto(address)
        is_live(page)
    expect(page.locator("#live")).to_have_text("the board does not answer")
    context.close()


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    assert root.is_dir()
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        folder = pathlib.Path(name) / "runs"
        run = WrittenRun(folder / "digits")
        run.report(100, 2)
        run.report(200, 1)
        run.evaluated(200, 0.5)
        other = WrittenRun(folder / "other")
        other.report(100, 4)
        other.report(200, 3)
        evil = WrittenRun(folder / "evil <img src=x onerror=alert(1)>")
        evil.report(1, 1)
        text = json.dumps("</script><script>alert(1)</script>")
        with open(evil.folder / "metrics.jsonl", "a") as journal:
            journal.write(f'{{"step":2,"loss":1,{text}:2}}\n{{"step":3,"loss":1,{text}:3}}\n')
        with board(program, folder) as address:
            test_list_grows(chromium, address, run)
            test_run_grows(chromium, address, run)
            test_reader_is_not_disturbed(chromium, address, run)
            test_comparison(chromium, address)
            test_without_script(chromium, address)
            test_accessible(chromium, address)
            test_hostile_names(chromium, address)
            test_other_pages_learn_nothing(chromium, address)
        test_end_is_said(chromium, program, folder)
    print("the board is live in a browser, and talks to nobody else")


main()
