// Filters, sorts and scales what the page already says; it computes no figure. Every control stands in the URL.
(() => {
  const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const json = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "{}");
  const controls = $("[data-control]");
  const ratios = json("ratios");
  const defaults = json("defaults");
  const doubts = json("doubts");
  const shades = json("shades");
  const matrix = document.getElementById("matrix");
  const state = Object.fromEntries(new URLSearchParams(location.search));

  const save = () => {
    const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  };

  const applyTheme = () => {
    const theme = state.theme ?? document.documentElement.dataset.theme ?? "";
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    const select = document.getElementById("theme");
    if (select) select.value = theme;
  };

  const rememberTheme = () => {
    try {
      localStorage.setItem("theme", state.theme ?? "");
    } catch {
      // the URL carries it
    }
  };

  // What few open waits as the text of a noscript: as elements it would make a long page slow. Without scripts it is there.
  const fill = (root) => {
    for (const waiting of $("noscript", root)) {
      waiting.insertAdjacentHTML("afterend", waiting.textContent);
      waiting.remove();
    }
    window.adoptCharts(root);
  };

  const baseline = (track) =>
    state.base?.startsWith(`${track}/`) && ratios[state.base] ? state.base : `${track}/${defaults[track]}`;

  // Forty rows can't be looked through: a preset hides those that answer another question. Only the matrix has presets.
  const preset = (row) => {
    if (!row.matches("#matrix tr.runtime")) return true;
    const rows = state.rows || matrix.dataset.rows;
    if (rows !== "language") return row.dataset.presets.split("|").includes(rows);
    const body = row.closest("tbody");
    const name = baseline(body.dataset.track).slice(body.dataset.track.length + 1);
    return $("tr.runtime", body).find((other) => other.dataset.name === name)?.dataset.language === row.dataset.language;
  };

  const shown = (row) => {
    const { name = "", language, unit, groups = "", verdict } = row.dataset;
    const track = row.dataset.track ?? row.closest("tbody").dataset.track;
    const text = `${name} ${language ?? ""} ${unit ?? ""}`.toLowerCase();
    return (
      (!state.q || text.includes(state.q.toLowerCase())) &&
      (!state.language || language === undefined || language === state.language) &&
      (!state.unit || unit === undefined || unit === state.unit) &&
      (!state.track || track === undefined || track === state.track) &&
      (!state.verdict || verdict === undefined || verdict === state.verdict) &&
      preset(row) &&
      (!state.group || !("groups" in row.dataset) || groups.split(" ").includes(state.group))
    );
  };

  const filter = () => {
    for (const body of $("tbody")) {
      const rows = $("tr[data-name]", body);
      if (!rows.length) continue;
      for (const row of rows) row.hidden = !shown(row);
      body.hidden = rows.every((row) => row.hidden);
    }
    const left = document.querySelector(".some-left");
    const hidden = $("#matrix tr.runtime[hidden]").length;
    if (left) {
      left.hidden = !hidden;
      left.textContent = `${hidden} of ${$("#matrix tr.runtime").length} rows are hidden; hiding rows changes no number.`;
    }
    const none = document.querySelector(".none-left");
    if (none) none.hidden = $("table[id] tbody, main table[data-filter] tbody").some((body) => !body.hidden);
  };

  const ratio = (cell) => ratios[baseline(cell.closest("tbody").dataset.track)]?.[cell.dataset.key] ?? ["–", "no pair"];

  const sort = () => {
    if (!matrix) return;
    const [column, direction = "asc"] = (state.sort ?? "").split(":");
    const sign = direction === "desc" ? -1 : 1;
    const heads = $("th[data-sort]", matrix);
    const place = heads.findIndex((head) => head.dataset.sort === column);
    heads.forEach((head, index) => {
      if (index === place) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    const value = (cell) => {
      if (cell?.dataset.value === undefined) return Number.NaN;
      if (state.show !== "ratio") return Number(cell.dataset.value);
      return Number(ratio(cell)[0].replaceAll(",", ""));
    };
    // What can't be ranked comes after what can, in either direction, and what has no number last.
    const rank = (cell) => (Number.isNaN(value(cell)) ? 2 : cell.classList.contains("flagged") ? 1 : 0);
    const compare = (a, b) => {
      if (place < 0) return a.dataset.place - b.dataset.place;
      if (place === 0) return sign * a.dataset.name.localeCompare(b.dataset.name);
      const [x, y] = [a.cells[place], b.cells[place]];
      const apart = rank(x) - rank(y) || (rank(x) < 2 ? sign * (value(x) - value(y)) : 0);
      return apart || a.dataset.place - b.dataset.place;
    };
    for (const body of matrix.tBodies) body.append(...$("tr.runtime", body).sort(compare));
  };

  const scaleFigures = () => {
    if (!matrix) return;
    const relative = state.show === "ratio";
    matrix.closest("section").classList.toggle("ratios", relative);
    for (const body of matrix.tBodies) {
      const track = body.dataset.track;
      const base = baseline(track);
      const label = body.querySelector(".baseline");
      label.hidden = !relative;
      label.textContent = ` · ratios to ${base.slice(track.length + 1)}`;
      for (const cell of $("td[data-value]", body)) {
        const [value, interval] = [cell.querySelector(".value"), cell.querySelector(".interval")];
        cell._own ??= [value.textContent, interval.textContent];
        const [figure, small] = relative ? ratio(cell) : cell._own;
        value.textContent = figure;
        interval.textContent = small;
      }
    }
  };

  // The tables of multiples: another base is other text, and the shade that its number falls into.
  const normalise = () => {
    for (const section of $("section.heat")) {
      const base = baseline(section.dataset.track);
      const name = base.slice(section.dataset.track.length + 1);
      const doubt = (place) => doubts[base][place] ?? [];
      section.querySelector("h2 .base").textContent = name;
      $("thead .doubt", section).forEach((word, place) => {
        word.textContent = doubt(place)[0] ?? "";
      });
      $(".doubts li", section).forEach((line, place) => {
        line.hidden = !doubt(place).length;
        line.querySelector("span").textContent = doubt(place).join(": ");
      });
      for (const row of $("tr[data-runtime]", section)) row.classList.toggle("base", row.dataset.runtime === name);
      for (const cell of $("td[data-key]", section)) {
        const told = doubt(cell.cellIndex - 1);
        const [figure, small] = told[0] === "no base" ? [told[0], ""] : ratio(cell);
        cell.querySelector(".value").textContent = figure;
        cell.querySelector(".interval").textContent = small;
        cell.dataset.shade = shades.filter((least) => Number(figure.replaceAll(",", "")) >= least).length - 1;
        cell.className = told.length ? "flagged" : cell.dataset.state;
        cell.title = [told.join(": "), cell.dataset.reason].filter(Boolean).join("; ");
      }
    }
  };

  const apply = () => {
    applyTheme();
    filter();
    sort();
    scaleFigures();
    normalise();
    window.scaleCharts(state.scale);
  };

  const choose = (name, value) => {
    state[name] = value;
    for (const control of controls) if (control.dataset.control === name) control.value = value;
  };

  // A note that a mark leads to is read at once; so is what a link names that still waits.
  const unfold = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    let target = document.getElementById(id);
    if (!target && $("noscript").some((waiting) => waiting.textContent.includes(`id="${id}"`))) {
      fill(document);
      filter();
      target = document.getElementById(id);
      for (let around = target?.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
      // at once: a smooth scroll would aim at where it stood before the page grew
      requestAnimationFrame(() => target?.scrollIntoView({ behavior: "instant" }));
    }
    for (const details of target?.matches(".notes li") ? $("details", target) : []) details.open = true;
  };

  const watch = new IntersectionObserver(
    (entries) => {
      const near = entries.filter((entry) => entry.isIntersecting);
      for (const { target } of near) {
        watch.unobserve(target);
        fill(target);
      }
      if (near.length) filter();
    },
    { rootMargin: "1000px" },
  );

  const wire = () => {
    for (const place of $(".later")) watch.observe(place);
    for (const element of $("[data-js]")) element.hidden = false;
    if (matchMedia("(max-width: 700px)").matches) for (const d of $(".controls details")) d.open = false;
    for (const control of controls) {
      const name = control.dataset.control;
      if (state[name] !== undefined) control.value = state[name];
      if (state[name] !== undefined && control.value !== state[name]) control.value = state[name] = "";
      control.addEventListener("input", () => {
        state[name] = control.value;
        if (name === "base" && control.value && matrix) choose("show", "ratio");
        save();
        apply();
        if (name === "theme") rememberTheme();
      });
    }
    for (const head of $("th[data-sort]", matrix ?? document.createElement("table"))) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "sorter" });
      button.append(...head.querySelector(".sorter").childNodes);
      head.querySelector(".sorter").replaceWith(button);
      button.addEventListener("click", () => {
        const [column, direction] = (state.sort ?? "").split(":");
        const same = column === head.dataset.sort;
        state.sort = same && direction === "desc" ? "" : `${head.dataset.sort}:${same ? "desc" : "asc"}`;
        save();
        apply();
      });
    }
    for (const form of $("form.controls")) form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", unfold);
    addEventListener(
      "toggle",
      (event) => {
        if (!event.target.open) return;
        fill(event.target);
        filter();
      },
      true,
    );
    const whole = () => {
      fill(document);
      filter();
      for (const details of $("details")) details.open = true;
    };
    addEventListener("beforeprint", whole);
    matchMedia("print").addEventListener("change", (media) => media.matches && whole());
  };

  wire();
  apply();
  unfold();
})();
