// Shows what belongs together on the page of a sweep: shapes and the row of a point have the same data-t.
(() => {
  const rows = new Map([...document.querySelectorAll("tr[data-t]")].map((row) => [row.dataset.t, row]));
  if (rows.size === 0) return;
  const tip = document.createElement("div");
  tip.className = "readout floating";
  tip.hidden = true;
  document.body.append(tip);
  let seen = null, kept = null;

  function describe(point) {
    const row = rows.get(point), lines = [];
    const names = row.closest("table").tHead.rows[0].cells;
    [...row.cells].slice(0, -1).forEach((cell, i) => {
      const line = document.createElement("div"), name = document.createElement("span"), value = document.createElement("b");
      name.textContent = names[i].textContent;
      value.textContent = cell.textContent;
      line.append(name, value);
      lines.push(line);
    });
    tip.replaceChildren(...lines);
  }

  function show(point) {
    if (point === seen) return;
    document.querySelectorAll(".on[data-t]").forEach((each) => each.classList.remove("on"));
    seen = point;
    if (point === null) return;
    document.querySelectorAll(`[data-t="${CSS.escape(point)}"]`).forEach((each) => each.classList.add("on"));
    if (rows.has(point)) describe(point);
  }

  document.addEventListener("pointerover", (event) => {
    const target = event.target.closest("[data-t]");
    const isShape = target !== null && target.tagName !== "TR";
    show(target?.dataset.t ?? kept);
    tip.hidden = !isShape || !rows.has(seen);
  });
  document.addEventListener("pointermove", (event) => {
    if (tip.hidden) return;
    const isLeft = event.clientX > innerWidth / 2, isHigh = event.clientY > innerHeight / 2;
    tip.style.left = isLeft ? "auto" : `${event.clientX + 14}px`;
    tip.style.right = isLeft ? `${innerWidth - event.clientX + 14}px` : "auto";
    tip.style.top = isHigh ? "auto" : `${event.clientY + 14}px`;
    tip.style.bottom = isHigh ? `${innerHeight - event.clientY + 14}px` : "auto";
  });

  // The first cell of a row is a button, with which a point is kept in sight.
  for (const [point, row] of rows) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = row.cells[0].textContent;
    button.title = "shows this point in all figures";
    button.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-label", `point ${row.cells[0].textContent}: show it in all figures`);
    row.cells[0].dataset.v = row.cells[0].textContent;
    row.cells[0].replaceChildren(button);
    button.addEventListener("click", () => {
      kept = kept === point ? null : point;
      for (const other of document.querySelectorAll("tr[data-t] button"))
        other.setAttribute("aria-pressed", other === button && kept !== null);
      show(kept);
    });
  }
})();
