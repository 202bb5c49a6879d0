
"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const list = $("list"), words = $("words"), outcome = $("outcome"), strength = $("strength");
  const rows = Array.from(list.tBodies, (body, order) => ({
    body, order, data: body.dataset,
    text: body.rows[0].textContent.toLowerCase() + " " + body.querySelector("summary").textContent.toLowerCase(),
  }));

  // What columns are sorted by, and whether the greatest comes first.
  const keys = {
    name: [r => r.data.name.toLowerCase(), false],
    outcome: [r => r.order, false],
    strength: [r => Number(r.data.rank), true],
    method: [r => r.data.method || "~" + r.data.category, false],
    runs: [r => Number(r.data.runs), true],
    time: [r => Number(r.data.time), true],
  };
  const sort = (head, descending) => {
    const by = keys[head.dataset.key][0];
    const compare = (a, b) => {
      const x = by(a), y = by(b);
      return (x < y ? -1 : x > y ? 1 : 0) * (descending ? -1 : 1) || a.order - b.order;
    };
    list.append(...rows.slice().sort(compare).map(r => r.body));
    for (const other of list.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  };
  for (const head of list.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(head, now ? now === "ascending" : keys[head.dataset.key][1]);
    });
    head.replaceChildren(button);
  }

  // A word stands somewhere in a recipe's line; key:value is what the line's data say.
  const matches = (row, word) => {
    const at = word.indexOf(":");
    const value = at > 0 ? row.data[word.slice(0, at)] : undefined;
    return value !== undefined ? value.toLowerCase() === word.slice(at + 1) : row.text.includes(word);
  };
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (outcome.value) wanted.push("outcome:" + outcome.value);
    if (strength.value) wanted.push("strength:" + strength.value);
    let shown = 0;
    for (const row of rows) {
      row.body.hidden = !wanted.every(word => matches(row, word));
      if (!row.body.hidden) shown++;
    }
    $("nothing").hidden = shown > 0;
    $("matches").textContent = shown === rows.length ? "all " + shown : shown + " of " + rows.length;
  };
  for (const control of [words, outcome, strength]) control.addEventListener("input", filter);
  $("filter").addEventListener("submit", event => event.preventDefault());
  for (const link of document.querySelectorAll("a[data-filter]")) {
    link.addEventListener("click", () => {
      outcome.value = strength.value = "";
      words.value = link.dataset.filter;
      filter();
      words.focus({ preventScroll: true });
    });
  }
  $("filter").hidden = false;
  filter();
})();
