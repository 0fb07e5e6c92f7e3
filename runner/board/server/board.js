// Keeps a page of the board up to date: reads it anew when its runs have changed, and puts the new
// parts in place of the old ones. Without this script a page is as it was when it was opened.
"use strict";
(() => {
  const own = document.currentScript, live = document.getElementById("live");
  const runs = JSON.parse(own.dataset.runs);
  // The runs that are picked for a comparison.
  const kept = new Set(JSON.parse(sessionStorage.getItem("picked " + own.dataset.folder) ?? "[]"));
  let isBusy = false, isDue = false, refreshes = 0;

  function say(words, isLost = false) {
    if (live.textContent !== words) live.textContent = words;
    live.classList.toggle("lost", isLost);
  }

  // --- what the reader has set, from one version of the page to the next -------------------------

  const settings = () => [...document.querySelectorAll("main select, main input[name], main button[aria-pressed]")];

  function remember() {
    return {
      values: settings().map((node) => (node.matches("button") ? node.getAttribute("aria-pressed") : node.value)),
      open: [...document.querySelectorAll("main details")].map((node) => node.open),
      sorted: [...document.querySelectorAll("main table")].map((table) => {
        const headings = [...table.querySelectorAll("thead th")];
        const at = headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
        return { at, way: headings[at]?.getAttribute("aria-sort") };
      }),
    };
  }

  function restore(before) {
    const nodes = settings();
    // Other settings than before are those of a page that has more charts now.
    if (nodes.length === before.values.length) {
      nodes.forEach((node, i) => {
        const value = before.values[i];
        if (node.matches("button")) {
          if (node.getAttribute("aria-pressed") !== value) node.click();
        } else if (node.value !== value) {
          node.value = value;
          node.dispatchEvent(new Event(node.matches("select") ? "change" : "input"));
        }
      });
    }
    document.querySelectorAll("main details").forEach((node, i) => (node.open = before.open[i] ?? node.open));
    document.querySelectorAll("main table").forEach((table, i) => {
      const { at, way } = before.sorted[i] ?? { at: -1 };
      const heading = table.querySelectorAll("thead th")[at];
      for (let n = 0; heading && n < 2 && heading.getAttribute("aria-sort") !== way; ++n) heading.querySelector("button")?.click();
    });
  }

  // --- the new version ---------------------------------------------------------------------------

  /// Lets the script of pages make charts and controls of the new parts.
  function runPageScript() {
    return new Promise((resolve, reject) => {
      const again = Object.assign(document.createElement("script"), { src: "page.js", onload: resolve, onerror: reject });
      document.querySelector("script[src='page.js']")?.remove();
      document.body.append(again);
    });
  }

  async function swap(fresh) {
    const before = remember(), top = scrollY;
    document.title = fresh.title;
    for (const part of ["body > header", "main"]) document.querySelector(part).replaceWith(fresh.querySelector(part));
    document.getElementById("data").textContent = fresh.getElementById("data").textContent;
    await runPageScript();
    restore(before);
    offerComparison();
    scrollTo(scrollX, top);
  }

  /// Whoever reads a chart is not disturbed.
  const isReading = () =>
    document.querySelector("main button.whole:not([hidden])") || document.querySelector("main .plot:hover, main .plot :focus, main select:focus");

  async function refresh() {
    if (isBusy || isReading()) {
      isDue = true;
      if (!isBusy) say("new values: shown when you leave the chart");
      return;
    }
    isBusy = true;
    isDue = false;
    const begun = performance.now();
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const text = await answer.text();
      // The page's script adds listeners to the document each time it runs.
      if (++refreshes === 300) location.reload();
      await swap(new DOMParser().parseFromString(text, "text/html"));
      say("live");
    } catch {
      say("the board has ended, or the run is gone", true);
    }
    setTimeout(() => {
      isBusy = false;
      if (isDue) refresh();
    }, Math.max(1000, 5 * (performance.now() - begun)));
  }

  setInterval(() => isDue && !isBusy && !isReading() && refresh(), 1000);

  // --- comparison --------------------------------------------------------------------------------

  function offerComparison() {
    const table = document.querySelector("table a.run")?.closest("table");
    if (!table) return;
    const link = Object.assign(document.createElement("a"), { className: "compare" });
    const place = document.createElement("p");
    place.append(link);
    table.parentElement.before(place);
    const show = () => {
      const picked = [...kept];
      link.textContent = picked.length > 1 ? `compare ${picked.length} runs` : "pick runs to compare them";
      if (picked.length > 1) link.href = "compare?" + picked.map((run) => "run=" + run).join("&");
      else link.removeAttribute("href");
    };
    for (const run of table.querySelectorAll("a.run")) {
      const name = new URL(run.href).search.slice("?name=".length);
      const pick = Object.assign(document.createElement("input"), { type: "checkbox", className: "pick", checked: kept.has(name) });
      pick.setAttribute("aria-label", "compare " + run.textContent);
      pick.addEventListener("change", () => {
        if (pick.checked) kept.add(name);
        else kept.delete(name);
        sessionStorage.setItem("picked " + own.dataset.folder, JSON.stringify([...kept]));
        show();
      });
      run.before(pick);
    }
    show();
  }

  offerComparison();

  // --- events ------------------------------------------------------------------------------------

  // Browsers allow six connections to one host, and each page that waits holds one: a page that
  // nobody sees gives its own back.
  let events = null;

  function listen() {
    events = new EventSource("events?folder=" + own.dataset.folder);
    events.addEventListener("open", () => say("live"));
    events.addEventListener("error", () => say("the board does not answer", true));
    events.addEventListener("changed", (event) => {
      const changed = JSON.parse(event.data);
      if (runs.length === 0 || changed.some((run) => runs.includes(run))) refresh();
    });
  }

  document.addEventListener("visibilitychange", () => {
    events?.close();
    events = null;
    if (document.hidden) return;
    listen();
    refresh();
  });
  if (!document.hidden) listen();
})();
