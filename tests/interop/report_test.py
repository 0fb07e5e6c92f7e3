"""Pages of `knead report` in Chromium: every control is used, nothing is loaded, axe-core finds nothing serious.

usage: report_test.py KNEAD ROOT
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from browser import THEMES, WIDTHS, accessible, browser, fits, opened


def knead(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def make_pages(program, root, folder):
    """Trains two runs and a sweep, and returns their three pages and one of a hostile run."""
    for rate in ("1e-3", "1e-2"):
        words = [f"output={folder}", f"name=lr-{rate}", f"optimizer.lr={rate}", "profile=[10, 15]", "train.until=5 epochs", "evaluate.samples=4"]
        knead(program, "run", root / "recipes/digits.yaml", "expect=[]", *words)
    recipe = folder / "sweep.yaml"
    recipe.write_text(
        f"extends: [{root}/recipes/digits.yaml]\nversion: 1\nname: search\ntrain: {{until: 2 epochs}}\nexpect: []\n"
        "sweep:\n  over: {optimizer.lr: {log: [1e-4, 1e-1]}, batch: [32, 64]}\n  search: sobol\n  trials: 12\n  seeds: 2\n"
    )
    knead(program, "sweep", recipe, f"output={folder}", "--jobs", "2")
    evil = folder / "evil <img src=x onerror=alert(1)>"
    evil.mkdir()
    (evil / "LOCK").touch()
    text = json.dumps("</script><script>alert(1)</script><b>")
    (evil / "metrics.jsonl").write_text(f'{{"step":1,"loss":1,{text}:2}}\n{{"step":2,"loss":2,{text}:3}}\n')
    knead(program, "run", root / "tests/end_to_end/recipes/diabetes.yaml", f"output={folder}", "name=numbers", "evaluate.samples=4")
    words = ["data.train.url=null", "data.train.sha256=null", f"data.train.path={root}/README.md", "data.train.tokenizer=bytes", "data.train.context=32"]
    words += ["model.args.config={vocab: 256, context: 32, layers: 1, heads: 2, width: 32}", "train=20 steps", "schedule=null", "expect=[]"]
    words += ["evaluate={every: 10 steps, samples: 3, generate: {prompts: ['knead ', a], tokens: 20}}", f"output={folder}", "name=text"]
    knead(program, "run", root / "recipes/gpt.yaml", *words)
    pages = {"numbers": [folder / "numbers"], "text": [folder / "text"], "run": [folder / "lr-1e-3"], "runs": [folder / "lr-1e-3", folder / "lr-1e-2"], "sweep": [folder / "search"], "evil": [evil]}
    for name, folders in pages.items():
        knead(program, "report", *folders, "--html", folder / f"{name}.html")
    return {name: (folder / f"{name}.html").as_uri() for name in pages}


def is_seen(page, selector):
    return page.locator(selector).first.is_visible()



def paths(page):
    return page.eval_on_selector_all(".plot svg > g .line", "lines => lines.map(line => line.getAttribute('d'))")


def test_whole_without_script(chromium, addresses):
    for name, address in addresses.items():
        with opened(chromium, address, script=False) as page:
            assert page.locator("h1").inner_text(), name
            assert page.locator("figure svg .line, figure svg circle").count() > 0, name
            assert page.locator("button").count() == 0, f"{name}: a control that does nothing"
    with opened(chromium, addresses["run"], script=False) as page:
        assert page.locator(".legend li").first.inner_text() == "train/loss"
        assert page.locator("tr.best").count() > 0


def test_fits_and_is_accessible(chromium, addresses):
    for name, address in addresses.items():
        for width in WIDTHS:
            for theme in THEMES:
                where = f"{name}, {width} px, {theme}"
                with opened(chromium, address, width, theme) as page:
                    fits(page, where)
                    for details in page.locator("details").all():
                        if details.get_attribute("open") is None:
                            details.locator(":scope > summary").click()
                    fits(page, where + ", all opened")
                    accessible(page, where)


def test_predictions_and_texts(chromium, addresses):
    """Pictures are decoded, tables have their numbers, and all is there without the script."""
    with opened(chromium, addresses["run"], script=False) as page:
        assert page.locator("#predictions .sample img").count() == 2 * 4 * page.locator("#predictions > details").count()
        for picture in page.locator("#predictions details[open] .sample img").all():
            assert picture.evaluate("each => each.naturalWidth") == 8 and "true" in picture.get_attribute("alt")
        counts = page.locator("#predictions details[open] .matrix td").all_inner_texts()
        assert len(counts) == 100 and sum(map(int, counts)) == 297, counts
    with opened(chromium, addresses["numbers"], script=False) as page:
        assert page.locator("#predictions svg circle").count() == 20 * page.locator("#predictions > details").count()
    with opened(chromium, addresses["text"], script=False) as page:
        assert page.locator("#predictions details[open] .sample pre").count() == 6
        assert page.locator("#texts details").count() == 2 and page.locator("#texts details[open] pre b").all_inner_texts() == ["knead ", "a"]


def test_axis_and_smoothing(chromium, address):
    with opened(chromium, address) as page:
        before = paths(page)
        page.select_option("select[name=axis]", "epoch")
        assert page.locator(".plot .name").first.text_content() == "epoch"
        page.select_option("select[name=axis]", "time")
        assert page.locator(".plot .name").first.text_content().startswith("time of training in ")
        page.select_option("select[name=axis]", "step")
        assert paths(page) == before
        page.locator("input[name=smoothing]").fill("0.9")
        assert paths(page) != before
        assert page.locator(".plot .raw").count() > 0
        assert page.locator("output").first.inner_text() == "0.9"
        page.locator("input[name=smoothing]").fill("0")
        assert paths(page) == before


def test_hover_and_keys(chromium, address):
    with opened(chromium, address) as page:
        plot = page.locator(".plot").first
        plot.hover(position={"x": 300, "y": 80})
        shown = plot.locator(".readout")
        assert shown.is_visible() and "train/loss" in shown.inner_text() and "step " in shown.inner_text()
        # The same step in all charts.
        assert page.locator(".readout:visible").count() == page.locator(".plot").count()
        page.mouse.move(5, 5)
        assert page.locator(".readout:visible").count() == 0
        plot.locator("svg").focus()
        page.keyboard.press("End")
        last = shown.inner_text()
        page.keyboard.press("ArrowLeft")
        assert shown.inner_text() != last
        page.keyboard.press("+")
        assert is_seen(page, "button.whole")
        page.keyboard.press("Escape")
        assert not is_seen(page, "button.whole") and not shown.is_visible()


def test_zoom(chromium, address):
    with opened(chromium, address) as page:
        before = paths(page)
        box = page.locator(".plot").first.bounding_box()
        page.mouse.move(box["x"] + 150, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 350, box["y"] + 100, steps=4)
        assert float(page.locator(".selected").first.get_attribute("width")) > 100
        page.mouse.up()
        assert all(old != new for old, new in zip(before, paths(page)))  # all charts together
        page.locator("button.whole").click()
        assert paths(page) == before
        page.mouse.dblclick(box["x"] + 200, box["y"] + 100)
        assert paths(page) == before


def test_legend_and_tools(chromium, address):
    with opened(chromium, address) as page:
        chart = page.locator(".chart").first
        lines = chart.locator(".plot svg > g .line").count()
        button = chart.locator(".legend button").first
        button.click()
        assert button.get_attribute("aria-pressed") == "false"
        assert chart.locator(".plot svg > g .line").count() == lines - 1
        button.click()
        assert chart.locator(".plot svg > g .line").count() == lines
        before = paths(page)
        log = chart.locator(".tools button").first
        log.click()
        assert log.get_attribute("aria-pressed") == "true" and paths(page) != before
        width = chart.bounding_box()["width"]
        chart.locator(".tools button").nth(1).click()
        assert chart.bounding_box()["width"] > 1.5 * width


def test_tables_are_sorted(chromium, address):
    with opened(chromium, address) as page:
        table = page.locator("#evaluations table")
        column = [each.inner_text() for each in table.locator("th").all()].index("loss")
        cells = lambda: [float(each.inner_text()) for each in table.locator(f"td:nth-child({column + 1})").all()]
        head = table.locator("th").nth(column)
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == "ascending" and cells() == sorted(cells())
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == "descending" and cells() == sorted(cells(), reverse=True)


def test_points_of_a_sweep(chromium, address):
    with opened(chromium, address) as page:
        shape = page.locator("circle[data-t]").first
        point = shape.get_attribute("data-t")
        shape.scroll_into_view_if_needed()
        shape.hover()
        assert is_seen(page, ".floating") and "validation/loss" in page.locator(".floating").inner_text()
        same = page.locator(f'[data-t="{point}"]')
        assert same.count() > 4
        assert all("on" in (each.get_attribute("class") or "") for each in same.all())
        row = page.locator("tr[data-t]").nth(2)
        row.locator("button").click()
        page.mouse.move(5, 5)
        assert page.locator("path.on").count() > 0  # it stays in sight
        row.locator("button").click()
        page.mouse.move(6, 6)
        assert page.locator(".on").count() == 0


def test_prints(chromium, addresses):
    for name, address in addresses.items():
        with opened(chromium, address) as page:
            assert page.pdf().startswith(b"%PDF-"), name
            page.emulate_media(media="print")
            assert not is_seen(page, "nav"), name


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        addresses = make_pages(program, root, pathlib.Path(folder))
        test_whole_without_script(chromium, addresses)
        test_predictions_and_texts(chromium, addresses)
        test_fits_and_is_accessible(chromium, addresses)
        for test in (test_axis_and_smoothing, test_hover_and_keys, test_zoom, test_legend_and_tools, test_tables_are_sorted):
            test(chromium, addresses["run"])
        test_zoom(chromium, addresses["runs"])
        test_legend_and_tools(chromium, addresses["runs"])
        test_points_of_a_sweep(chromium, addresses["sweep"])
        test_prints(chromium, addresses)
    print("pages work in a browser")


main()
