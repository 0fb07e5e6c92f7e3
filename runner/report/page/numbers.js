"use strict";
// The script of all pages begins here; the other files of this folder follow. A page shows all without it. Text of runs
// reaches the page by textContent only.

// Numbers as people read them, and the values that axes name: as runner/report/scale.cpp has them.
const numbers = (() => {
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

  return { words, linearTicks, logTicks };
})();
