// The request log can be sorted by each column, and filtered.
{
  const log = document.querySelector(".log");
  const setUp = () => {
    const body = log.querySelector("tbody");
    const rows = [...body.rows];
    const heads = [...log.querySelectorAll("thead th")];
    const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true });

    const sortBy = (column) => {
      const isTurned = heads[column].ariaSort === "ascending";
      const text = (row) => row.cells[column].textContent;
      rows.sort((a, b) => compare(text(a), text(b)) * (isTurned ? -1 : 1));
      for (const head of heads) head.ariaSort = null;
      heads[column].ariaSort = isTurned ? "descending" : "ascending";
      body.append(...rows);
    };
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.append(...head.childNodes);
      button.onclick = () => sortBy(column);
      head.append(button);
    });

    const filter = document.createElement("input");
    const count = document.createElement("output");
    count.className = "meta";
    Object.assign(filter, { type: "search", placeholder: "Filter", ariaLabel: "Filter the request log" });
    filter.oninput = () => {
      const wanted = filter.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      const seen = rows.filter((row) => !row.hidden).length;
      count.textContent = wanted && `${seen} of ${rows.length}`;
    };
    log.querySelector(".log__head").append(count, filter);
  };
  if (log) setUp();
}
