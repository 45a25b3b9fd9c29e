for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => {
    const th = button.closest("th"), place = th.cellIndex;
    const body = th.closest("table").tBodies[0];
    const sign = th.ariaSort === "ascending" ? -1 : 1;
    for (const other of th.parentNode.cells) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const compare = (one, other) => {
      const [a, b] = [one, other].map((row) => row.cells[place]);
      if (!a.textContent || !b.textContent)  // empty cells stay below
        return !a.textContent - !b.textContent;
      const numbers = "number" in a.dataset && "number" in b.dataset;
      return sign * (numbers ? a.dataset.number - b.dataset.number
        : a.textContent.localeCompare(b.textContent, undefined, { numeric: true }));
    };
    body.append(...[...body.rows].sort(compare));
  });
}
