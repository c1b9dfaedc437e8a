// Adds search, filters and sorting to the tables of the report. Everything is readable without it.
"use strict";
(() => {
  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const rank = { high: 4, medium: 3, low: 2, info: 1 };

  const chooser = (name, rows, update) => {
    const values = [...new Set(rows.map((row) => row.dataset[name]).filter(Boolean))].sort();
    if (values.length < 2) return null;
    const label = element("label", name);
    const select = element("select");
    select.append(element("option", "all", { value: "" }));
    for (const value of values) select.append(element("option", value, { value }));
    select.addEventListener("change", update);
    label.append(select);
    return { label, matches: (row) => !select.value || row.dataset[name] === select.value };
  };

  const searcher = (update) => {
    const label = element("label", "search");
    const input = element("input", "", { type: "search" });
    input.addEventListener("input", update);
    label.append(input);
    return { label, matches: (row) => row.textContent.toLowerCase().includes(input.value.trim().toLowerCase()) };
  };

  const addTools = (table) => {
    const rows = [...table.tBodies[0].rows];
    const count = element("span", "", { role: "status" });
    const update = () => {
      let shown = 0;
      for (const row of rows) {
        row.hidden = !tools.every((tool) => tool.matches(row));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = shown + " of " + rows.length + " rows";
    };
    const tools = [searcher(update), ...["state", "priority", "kind"].map((name) => chooser(name, rows, update))].filter(Boolean);
    const bar = element("div", "", { class: "tools" });
    bar.append(...tools.map((tool) => tool.label), count);
    table.before(bar);
    update();
  };

  const sortValue = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = /^[A-Z]?(\d+(?:\.\d+)?)\b/.exec(text);
    return rank[text] ?? (number ? Number(number[1]) : text.toLowerCase());
  };
  const compare = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1;

  const addSorting = (table) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = element("button", head.textContent, { type: "button" });
      head.dataset.name = head.textContent;
      head.textContent = "";
      head.append(button);
      button.addEventListener("click", () => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        const rows = [...table.tBodies[0].rows].map((row) => [sortValue(row, column), row]);
        rows.sort((a, b) => direction * compare(a[0], b[0]));
        table.tBodies[0].append(...rows.map((pair) => pair[1]));
      });
    });
  };

  const reveal = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    target.hidden = false;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };

  for (const table of document.querySelectorAll("table.filter")) {
    if (table.tBodies[0].rows.length < 2) continue;
    addTools(table);
    addSorting(table);
  }
  addEventListener("hashchange", reveal);
  reveal();
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
  });
  addEventListener("afterprint", () => { for (const part of opened) part.open = false; });
})();
