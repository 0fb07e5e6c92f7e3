"use strict";
// Draws the charts of a page anew, at their size on the screen: over epochs or time, smoothed, zoomed, with lines hidden.
// The page shows all without it. Text reaches the page by textContent only.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const charts = [];
  const hidden = new Set(); // names of lines, in all charts
  const view = { axis: "step", smoothing: 0, zoom: null, at: null };
  const LEFT = 54, RIGHT = 12, TOP = 10, BOTTOM = 36;

  const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const shape = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  // --- numbers ---------------------------------------------------------------------------------

  function words(value) {
    if (value === null || !Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (Number.isInteger(value) && size < 1e7) return value.toLocaleString("en");
    return size !== 0 && (size < 1e-3 || size >= 1e7) ? value.toExponential(3) : String(+value.toPrecision(4));
  }

  function niceStep(size) {
    const power = 10 ** Math.floor(Math.log10(size));
    return ([1, 2, 5].find((factor) => factor * power >= size * (1 - 1e-9)) ?? 10) * power;
  }

  function tickWords(value, step) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e15 || step < 1e-5) return String(+value.toPrecision(5));
    for (const [unit, suffix] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
      if (size >= unit && (unit > 1e3 || size >= 1e4)) return +(value / unit).toFixed(4) + suffix;
    return value.toFixed(Math.max(0, Math.min(10, -Math.floor(Math.log10(step) + 1e-9))));
  }

  function linearTicks(low, high, most) {
    for (let step = niceStep((high - low) / most); ; step = niceStep(step * 1.5)) {
      const found = [];
      for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
        found.push([i * step, tickWords(i * step, step)]);
      if (found.length <= most) return found;
    }
  }

  function logTicks(low, high, most) {
    const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
    const within = (factors, stride) => {
      const found = [];
      for (let power = first; power <= last; ++power)
        for (const factor of power % stride === 0 ? factors : []) {
          const value = factor * 10 ** power;
          if (value >= low && value <= high)
            found.push([value, value >= 1e-3 && value < 1e4 ? tickWords(value, value) : value.toExponential(0)]);
        }
      return found;
    };
    for (const factors of [[1, 2, 5], [1, 3], [1]]) {
      const found = within(factors, 1);
      if (found.length <= most && found.length >= 2) return found;
    }
    const found = within([1], Math.max(1, Math.ceil((last - first + 1) / most)));
    return found.length >= 2 ? found : linearTicks(low, high, most);
  }

  /// Returns where a step of a run stands on the chosen axis, from the reports around it.
  function axisValue(run, step) {
    if (view.axis === "step") return step;
    const axes = data.runs[run], other = axes[view.axis === "epoch" ? "epochs" : "seconds"];
    if (axes.steps.length === 0) return step;
    let low = -1, high = axes.steps.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (axes.steps[middle] < step) low = middle; else high = middle;
    }
    const x0 = low < 0 ? 0 : axes.steps[low], y0 = low < 0 ? 0 : other[low];
    return axes.steps[high] === x0 ? other[high] : y0 + ((step - x0) * (other[high] - y0)) / (axes.steps[high] - x0);
  }

  /// Returns the exponential mean of values, without the pull of its first one towards 0.
  function smoothed(values) {
    if (view.smoothing === 0) return values;
    let mean = 0, weight = 0;
    return values.map((value) => {
      if (value === null) return null;
      mean = view.smoothing * mean + (1 - view.smoothing) * value;
      weight = view.smoothing * weight + 1 - view.smoothing;
      return mean / weight;
    });
  }

  // --- a chart ---------------------------------------------------------------------------------

  const timeUnits = [[86400 * 2, 86400, "days"], [7200, 3600, "hours"], [120, 60, "minutes"], [0, 1, "seconds"]];

  /// Returns the scales of a chart for what is seen of it.
  function frameOf(chart, lines) {
    const ends = [Infinity, -Infinity], values = [Infinity, -Infinity];
    const grow = (bounds, value) => {
      if (value === null || Number.isNaN(value)) return;
      bounds[0] = Math.min(bounds[0], value);
      bounds[1] = Math.max(bounds[1], value);
    };
    for (const line of lines) line.at.forEach((x) => grow(ends, x));
    const [from, to] = view.zoom ?? ends;
    for (const line of lines)
      line.at.forEach((x, i) => {
        if (x < from || x > to) return;
        grow(values, line.y[i]);
        if (view.smoothing > 0) return grow(values, line.smooth[i]);
        if (line.least) grow(values, line.least[i]), grow(values, line.largest[i]);
      });
    let [low, high] = values[0] <= values[1] ? values : [0, 1];
    const log = chart.log && low > 0;
    if (log) {
      const room = Math.max((high / low) ** 0.04, 1.05);
      low /= room, high *= room;
    } else {
      const room = high > low ? (high - low) * 0.04 : Math.max(Math.abs(low) * 0.05, 1e-9);
      const least = low;
      low -= room, high += room;
      if (least >= 0 && low < 0) low = 0;
    }
    let [left, right] = from <= to ? [from, to] : [0, 1];
    if (left === right) left -= 0.5, right += 0.5;
    const width = Math.max(chart.plot.clientWidth, 200), height = chart.isWide ? 420 : 250;
    return {
      width, height, left, right, low, high, log,
      x: (value) => LEFT + ((value - left) / (right - left)) * (width - LEFT - RIGHT),
      step: (place) => left + ((place - LEFT) / (width - LEFT - RIGHT)) * (right - left),
      y: (value) => {
        const share = log ? (value > 0 ? Math.log(value / low) / Math.log(high / low) : 0) : (value - low) / (high - low);
        return height - BOTTOM - share * (height - TOP - BOTTOM);
      },
    };
  }

  function axes(frame) {
    const group = shape("g", { class: "axes" });
    const bottom = frame.height - BOTTOM;
    for (const [value, text] of (frame.log ? logTicks : linearTicks)(frame.low, frame.high, 6)) {
      const y = frame.y(value);
      group.append(shape("path", { d: `M${LEFT} ${y}H${frame.width - RIGHT}` }),
                   shape("text", { x: LEFT - 6, y, dy: ".32em" }, text));
    }
    const [, unit, name] = view.axis === "time" ? timeUnits.find(([least]) => frame.right >= least) : [0, 1, view.axis];
    const most = Math.max(2, Math.floor(frame.width / 75));
    for (const [value, text] of linearTicks(frame.left / unit, frame.right / unit, most))
      group.append(shape("text", { class: "x", x: frame.x(value * unit), y: bottom + 16 }, text));
    group.append(shape("text", { class: "x name", x: (LEFT + frame.width - RIGHT) / 2, y: frame.height - 3 },
                       view.axis === "time" ? `time of training in ${name}` : name));
    return group;
  }

  function path(xs, ys, frame, begin = "M") {
    let out = "", joins = false;
    xs.forEach((x, i) => {
      if (ys[i] === null) return (joins = false);
      out += `${joins ? "L" : out ? "M" : begin}${frame.x(x).toFixed(1)} ${frame.y(ys[i]).toFixed(1)}`;
      joins = true;
    });
    return out;
  }

  function drawLine(line, frame) {
    const group = shape("g", { class: `s${line.style}` });
    if (line.least && view.smoothing === 0) {
      const back = path([...line.at].reverse(), [...line.least].reverse(), frame, "L");
      group.append(shape("path", { class: "band", d: path(line.at, line.largest, frame) + back + "Z" }));
    }
    if (view.smoothing > 0) group.append(shape("path", { class: "raw", d: path(line.at, line.y, frame) }));
    group.append(shape("path", { class: "line", d: path(line.at, line.smooth, frame) }));
    if (line.marks || line.at.length === 1)
      group.append(shape("path", { class: "marks", d: path(line.at, line.y, frame).replaceAll(/[ML]([^ML]+)/g, "M$1h0") }));
    return group;
  }

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

  // --- tables ----------------------------------------------------------------------------------

  function sortBy(table, column, heading) {
    const isUp = heading.getAttribute("aria-sort") !== "ascending";
    const body = table.tBodies[0];
    const key = (row) => row.cells[column]?.dataset.v ?? row.cells[column]?.textContent ?? "";
    const compare = (a, b) => {
      const [x, y] = [Number(a || NaN), Number(b || NaN)];
      if (Number.isNaN(x) && Number.isNaN(y)) return a.localeCompare(b);
      return Number.isNaN(x) ? 1 : Number.isNaN(y) ? -1 : x - y;
    };
    const rows = [...body.rows].map((row) => [key(row), row]);
    rows.sort((a, b) => (isUp ? compare(a[0], b[0]) : compare(b[0], a[0])));
    table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    body.append(...rows.map(([, row]) => row));
  }

  document.querySelectorAll("table.sortable").forEach((table) =>
    table.querySelectorAll("thead th").forEach((heading, column) => {
      const button = element("button", { type: "button" }, heading.textContent);
      button.addEventListener("click", () => sortBy(table, column, heading));
      heading.replaceChildren(button);
    }));

  start();
})();
