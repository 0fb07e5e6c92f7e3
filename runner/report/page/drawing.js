// Makes elements of a page, and shapes of a drawing.
const elements = (() => {
  const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const shape = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  return { element, shape };
})();

// Draws a chart for what is chosen: the axis, the smoothing and the range of `view`. `data` are those of the page.
const drawing = (data, view) => {
  const { linearTicks, logTicks } = numbers;
  const { shape } = elements;
  const LEFT = 54, RIGHT = 12, TOP = 10, BOTTOM = 36;

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

  return { LEFT, RIGHT, TOP, BOTTOM, timeUnits, axisValue, smoothed, frameOf, axes, drawLine };
};
