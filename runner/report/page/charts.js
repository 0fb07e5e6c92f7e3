// Draws the charts of a page anew, at their size on the screen: over epochs or time, smoothed, zoomed, with lines hidden.
(() => {
  const { words } = numbers;
  const { element, shape } = elements;
  const data = JSON.parse(document.getElementById("data").textContent);
  const charts = [];
  const hidden = new Set(); // names of lines, in all charts
  const view = { axis: "step", smoothing: 0, zoom: null, at: null };
  const { LEFT, RIGHT, TOP, BOTTOM, timeUnits, axisValue, smoothed, frameOf, axes, drawLine } = drawing(data, view);

  function draw(chart) {
    const lines = chart.lines.filter((line) => !hidden.has(line.name));
    for (const line of lines) {
      line.at = line.x.map((step) => axisValue(line.run, step));
      line.smooth = line.marks ? line.y : smoothed(line.y);
    }
    const frame = (chart.frame = frameOf(chart, lines));
    chart.shown = lines;
    const clip = `${chart.id}-clip`;
    const picture = shape("g", { "clip-path": `url(#${clip})` });
    for (const line of lines) picture.append(drawLine(line, frame));
    for (const [step, text] of chart.events) {
      const x = frame.x(axisValue(0, step));
      picture.append(shape("path", { class: "event", d: `M${x} ${TOP}V${frame.height - BOTTOM}` }, shape("title", {}, text)));
    }
    if (chart.best) {
      const [step, value, text] = chart.best;
      picture.append(shape("circle", { class: "best", cx: frame.x(axisValue(0, step)), cy: frame.y(value), r: 6 },
                           shape("title", {}, text)));
    }
    chart.cross = shape("path", { class: "cross" });
    chart.selected = shape("rect", { class: "selected", y: TOP, height: frame.height - TOP - BOTTOM, width: 0 });
    chart.svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    chart.svg.replaceChildren(
      shape("clipPath", { id: clip }, shape("rect", { x: LEFT - 4, y: TOP - 6, width: frame.width - LEFT - RIGHT + 8,
                                                      height: frame.height - TOP - BOTTOM + 12 })),
      axes(frame), picture, chart.selected, chart.cross);
    point(chart);
  }

  const drawAll = () => charts.forEach(draw);

  // --- what is pointed at ----------------------------------------------------------------------

  function nearest(values, wanted) {
    let best = -1;
    values.forEach((value, i) => {
      if (best < 0 || Math.abs(value - wanted) < Math.abs(values[best] - wanted)) best = i;
    });
    return best;
  }

  function axisWords(value) {
    if (view.axis === "step") return `step ${Math.round(value).toLocaleString("en")}`;
    if (view.axis === "epoch") return `epoch ${value.toFixed(2)}`;
    const [, unit, name] = timeUnits.find(([least]) => value >= least);
    return `${+(value / unit).toPrecision(3)} ${name}`;
  }

  function point(chart) {
    const { frame, cross, readout } = chart;
    const isSeen = view.at !== null && view.at >= frame.left && view.at <= frame.right && chart.shown.length > 0;
    readout.hidden = !isSeen;
    cross.setAttribute("d", "");
    if (!isSeen) return;
    const x = frame.x(view.at);
    cross.setAttribute("d", `M${x} ${TOP}V${frame.height - BOTTOM}`);
    const rows = chart.shown.slice(0, 12).map((line) => {
      const i = nearest(line.at, view.at);
      if (i < 0) return "";
      const range = line.least && view.smoothing === 0 && line.least[i] !== line.largest[i]
        ? ` (${words(line.least[i])} … ${words(line.largest[i])})` : "";
      return element("div", { class: `s${line.style}` }, element("span", { class: "name" }, line.name),
                     element("b", {}, words(line.smooth[i]) + range));
    });
    if (chart.shown.length > 12) rows.push(`and ${chart.shown.length - 12} more lines`);
    readout.replaceChildren(axisWords(view.at), ...rows);
    const isLeft = x > frame.width / 2;
    readout.style.left = isLeft ? "auto" : `${x + 10}px`;
    readout.style.right = isLeft ? `${frame.width - x + 10}px` : "auto";
  }

  function pointAt(value) {
    view.at = value;
    charts.forEach(point);
  }

  function zoom(range) {
    view.zoom = range;
    document.querySelectorAll("button.whole").forEach((button) => (button.hidden = range === null));
    drawAll();
  }

  function listen(chart) {
    let begin = null;
    const place = (event) => event.clientX - chart.plot.getBoundingClientRect().left;
    const value = (at) => Math.min(chart.frame.right, Math.max(chart.frame.left, chart.frame.step(at)));
    chart.plot.addEventListener("pointermove", (event) => {
      pointAt(value(place(event)));
      if (begin === null) return;
      const [from, to] = [begin, chart.frame.x(view.at)].sort((a, b) => a - b);
      chart.selected.setAttribute("x", from);
      chart.selected.setAttribute("width", to - from);
    });
    chart.plot.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      begin = chart.frame.x(value(place(event)));
      chart.plot.setPointerCapture(event.pointerId);
    });
    chart.plot.addEventListener("pointerup", (event) => {
      const end = begin === null ? null : chart.frame.x(value(place(event)));
      const ends = end !== null && Math.abs(end - begin) > 6 ? [begin, end].sort((a, b) => a - b).map(chart.frame.step) : null;
      begin = null;
      chart.selected.setAttribute("width", 0);
      if (ends) zoom(ends);
    });
    chart.plot.addEventListener("pointercancel", () => (begin = null));
    chart.plot.addEventListener("pointerleave", () => begin === null && pointAt(null));
    chart.plot.addEventListener("dblclick", () => zoom(null));
    chart.svg.addEventListener("blur", () => pointAt(null));
    chart.svg.addEventListener("keydown", (event) => {
      const { left, right } = chart.frame, by = (right - left) / 50, at = view.at ?? left;
      const half = (right - left) / 4;
      const act = {
        ArrowLeft: () => pointAt(Math.max(left, at - by)), ArrowRight: () => pointAt(Math.min(right, at + by)),
        Home: () => pointAt(left), End: () => pointAt(right), "+": () => zoom([Math.max(left, at - half), Math.min(right, at + half)]),
        "-": () => zoom(null), Escape: () => (pointAt(null), zoom(null)),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  // --- controls --------------------------------------------------------------------------------

  function toggle(text, isOn, change, attributes = {}) {
    const button = element("button", { type: "button", "aria-pressed": isOn, ...attributes }, text);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", on);
      change(on);
    });
    return button;
  }

  function legend(chart) {
    chart.figure.querySelectorAll(".legend li").forEach((item, i) => {
      const { name } = chart.lines[i];
      const button = element("button", { type: "button", "aria-pressed": "true", title: "hides the line, or shows it" });
      button.append(...item.childNodes);
      button.addEventListener("click", () => {
        if (!hidden.delete(name)) hidden.add(name);
        for (const each of charts)
          each.figure.querySelectorAll(".legend button").forEach((other, k) =>
            other.setAttribute("aria-pressed", !hidden.has(each.lines[k].name)));
        drawAll();
      });
      item.replaceChildren(button);
    });
  }

  function tools(chart) {
    const log = toggle("log", chart.log, (on) => ((chart.log = on), draw(chart)), { "aria-label": `logarithmic scale: ${chart.title}` });
    const wide = toggle("large", false, (on) => {
      chart.isWide = on;
      chart.figure.classList.toggle("wide", on);
      draw(chart);
    }, { "aria-label": `large: ${chart.title}` });
    chart.figure.prepend(element("div", { class: "tools" }, log, wide));
  }

  function controls(place) {
    const axis = element("select", { name: "axis" });
    for (const name of ["step", "epoch", "time"]) {
      const key = { epoch: "epochs", time: "seconds" }[name];
      if (!key || data.runs.some((run) => run[key].some((value) => value > 0))) axis.append(element("option", { value: name }, name));
    }
    axis.addEventListener("change", () => {
      view.axis = axis.value;
      view.at = null;
      zoom(null);
    });
    const shown = element("output", {}, "0");
    const smoothing = element("input", { type: "range", min: 0, max: 0.99, step: 0.01, value: 0, name: "smoothing" });
    smoothing.addEventListener("input", () => {
      view.smoothing = Number(smoothing.value);
      shown.textContent = smoothing.value;
      drawAll();
    });
    const whole = element("button", { type: "button", class: "whole", hidden: "" }, "Show the whole range");
    whole.addEventListener("click", () => zoom(null));
    if (axis.length > 1) place.append(element("label", {}, "x axis", axis));
    place.append(element("label", {}, "smoothing", smoothing, shown), whole,
                 element("span", { class: "note" }, "Drag over a chart to zoom; arrow keys read values."));
  }

  function start() {
    for (const spec of data.charts ?? []) {
      const figure = document.getElementById(spec.id);
      const plot = figure.querySelector(".plot");
      const chart = { ...spec, figure, plot, svg: plot.querySelector("svg"), readout: element("div", { class: "readout", hidden: "" }) };
      chart.svg.setAttribute("tabindex", "0");
      plot.append(chart.readout);
      charts.push(chart);
      legend(chart);
      tools(chart);
    }
    document.querySelectorAll(".controls").forEach(controls);
    charts.forEach(draw);
    charts.forEach(listen);
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth !== width) drawAll();
      width = innerWidth;
    });
  }

  start();
})();
