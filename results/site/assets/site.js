// Filters, sorts and scales what the page already says; it computes no figure. Every control stands in the URL.
(() => {
  const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const json = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "{}");
  const controls = $("[data-control]");
  const ratios = json("ratios");
  const defaults = json("defaults");
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
    const none = document.querySelector(".none-left");
    if (none) none.hidden = $("table[id] tbody, main table[data-filter] tbody").some((body) => !body.hidden);
  };

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
    const value = (row) => {
      const raw = row.cells[place]?.dataset.value;
      return raw === undefined ? null : Number(raw);
    };
    const compare = (a, b) => {
      if (place < 0) return a.dataset.place - b.dataset.place;
      if (place === 0) return sign * a.dataset.name.localeCompare(b.dataset.name);
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return (x === null) - (y === null) || a.dataset.place - b.dataset.place;
      return sign * (x - y);
    };
    for (const body of matrix.tBodies) body.append(...$("tr.runtime", body).sort(compare));
  };

  const scaleFigures = () => {
    if (!matrix) return;
    const ratio = state.show === "ratio";
    matrix.classList.toggle("ratios", ratio);
    for (const body of matrix.tBodies) {
      const track = body.dataset.track;
      const base = state.base?.startsWith(`${track}/`) && ratios[state.base] ? state.base : `${track}/${defaults[track]}`;
      const label = body.querySelector(".baseline");
      label.hidden = !ratio;
      label.textContent = ` · ratios to ${base.slice(track.length + 1)}`;
      for (const cell of $("td[data-value]", body)) {
        const [value, interval] = [cell.querySelector(".value"), cell.querySelector(".interval")];
        cell._own ??= [value.textContent, interval.textContent];
        const [figure, small] = ratio ? (ratios[base]?.[cell.dataset.key] ?? ["–", "no pair"]) : cell._own;
        value.textContent = figure;
        interval.textContent = small;
      }
    }
  };

  const scaleCharts = () => {
    for (const figure of $("figure.chart")) {
      const drawings = $(".drawing", figure);
      const wanted = drawings.find((d) => d.dataset.scale === state.scale) ?? drawings[0];
      const asleep = wanted.querySelector("template"); // parsed only when it is asked for
      if (asleep) asleep.replaceWith(asleep.content);
      const busy = !figure.querySelector(".interactive").hidden;
      for (const drawing of drawings) drawing.hidden = busy || drawing !== wanted;
    }
  };

  const apply = () => {
    applyTheme();
    filter();
    sort();
    scaleFigures();
    scaleCharts();
  };

  const load = (source) =>
    new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: source, onload: resolve, onerror: reject });
      document.head.append(script);
    });

  const assets = document.querySelector("script[src$='assets/site.js']").src.replace("site.js", "");
  const interactive = async (button) => {
    const figure = button.closest("figure");
    const place = figure.querySelector(".interactive");
    if (place.hidden) {
      if (!window.vegaEmbed) await load(`${assets}vega.js`);
      const scale = $(".drawing", figure).find((drawing) => !drawing.hidden).dataset.scale;
      const spec = JSON.parse(figure.querySelector(`script[data-scale="${scale}"]`).textContent);
      spec.config.mark = { tooltip: { content: "data" } };
      place.hidden = false;
      await window.vegaEmbed(place, spec, { actions: false, renderer: "svg" });
    } else {
      place.hidden = true;
      place.replaceChildren();
    }
    button.textContent = place.hidden ? "Interactive" : "As printed";
    scaleCharts();
  };

  const wire = () => {
    for (const element of $("[data-js]")) element.hidden = false;
    if (matchMedia("(max-width: 700px)").matches) for (const d of $(".controls details")) d.open = false;
    for (const control of controls) {
      const name = control.dataset.control;
      if (state[name] !== undefined) control.value = state[name];
      if (state[name] !== undefined && control.value !== state[name]) control.value = state[name] = "";
      control.addEventListener("input", () => {
        state[name] = control.value;
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
    for (const button of $("[data-interactive]")) button.addEventListener("click", () => interactive(button));
    for (const form of $("form.controls")) form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("beforeprint", () => $("details").forEach((details) => (details.open = true)));
  };

  wire();
  apply();
})();
