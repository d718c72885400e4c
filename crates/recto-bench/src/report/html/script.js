"use strict";
{
  const table = document.querySelector("table.items");
  const body = table && table.tBodies[0];
  const rows = body ? [...body.rows] : [];
  const controls = document.querySelector(".controls");
  const texts = [];
  const show = () => {
    const words = controls.querySelector("input").value.toLowerCase();
    const kind = controls.querySelector("select").value;
    let shown = 0;
    rows.forEach((row, at) => {
      texts[at] ??= row.textContent.toLowerCase();
      const wanted = texts[at].includes(words) && (!kind || row.dataset.k.split(" ").includes(kind));
      row.hidden = !wanted;
      shown += wanted;
    });
    controls.querySelector("output").textContent = shown + " of " + rows.length + " items";
  };
  const sort = (head) => {
    const column = head.cellIndex;
    const up = head.getAttribute("aria-sort") !== "ascending";
    const key = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
    const keyed = rows.map((row, at) => [key(row), at, row]);
    keyed.sort(([a, i], [b, j]) => {
      const difference = a !== "" && b !== "" ? a - b : NaN;
      const order = Number.isNaN(difference) ? (a < b ? -1 : a > b ? 1 : 0) : difference;
      return (up ? order : -order) || i - j;
    });
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...keyed.map(([, , row]) => row));
  };
  if (body) {
    controls.hidden = false;
    controls.addEventListener("input", show);
    table.tHead.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) sort(button.parentNode);
    });
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row && !event.target.closest("a") && getSelection().isCollapsed) row.classList.toggle("open");
    });
    show();
  }
}
