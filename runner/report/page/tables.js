// Sorts the rows of tables by a column.
(() => {
  const { element } = elements;

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
})();
