// Charts drawn in the browser: another scale, or an interactive one. Everything comes from files beside the page, and only when it is asked for.
(() => {
  const figures = [...document.querySelectorAll("figure[data-chart]")];
  const assets = document.currentScript.src.replace("charts.js", "");
  const loading = new Map();
  const load = (source) => {
    if (!loading.has(source)) {
      const loaded = new Promise((resolve, reject) => {
        document.head.append(Object.assign(document.createElement("script"), { src: source, onload: resolve, onerror: reject }));
      });
      loading.set(source, loaded);
    }
    return loading.get(source);
  };
  const specOf = async (figure, scale) => {
    await load(new URL(figure.dataset.specs, location).href);
    const { shared, scales, wide } = window.charts[figure.dataset.chart];
    return { ...shared, ...(wide && matchMedia("(min-width: 1000px)").matches ? wide : scales)[scale] };
  };

  // Colours become those of the page's theme, and follow it.
  const themed = (spec) =>
    JSON.parse(
      JSON.stringify(spec).replace(/"(#[0-9a-f]{6})"/g, (whole, color) =>
        window.palette[color] ? `"var(--${window.palette[color]})"` : whole,
      ),
    );

  const scaleOf = (figure, wanted) => {
    const scales = figure.dataset.scales.split(" ");
    return scales.includes(wanted) ? wanted : scales[0];
  };

  const draw = async (figure, scale, interactive) => {
    const place = figure.querySelector(".interactive");
    const printed = figure.querySelector(".drawing");
    const mode = interactive ? `interactive ${scale}` : scale;
    if (place.dataset.mode === mode) return;
    place.dataset.mode = mode;
    const asPrinted = !interactive && scale === scaleOf(figure);
    if (!asPrinted) {
      await Promise.all([load(`${assets}vega.js`), load(`${assets}palette.js`)]);
      const { title, ...spec } = themed(await specOf(figure, scale));
      if (interactive) spec.config.mark = { tooltip: { content: "data" } };
      const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
      const tooltip = { theme: dark ? "dark" : "light" };
      const canvas = document.createElement("div");
      await window.vegaEmbed(canvas, spec, { actions: false, renderer: "svg", tooltip });
      if (place.dataset.mode !== mode) return; // another one was asked for meanwhile
      place.replaceChildren(canvas);
      const drawn = canvas.querySelector("svg");
      // One picture, and not a hundred with names of their own: these are shown of marks that are pointed at.
      for (const part of drawn.querySelectorAll("[role]")) {
        const name = part.getAttribute("aria-label");
        if (name && !interactive) {
          const shown = document.createElementNS(part.namespaceURI, "title");
          shown.textContent = name;
          part.append(shown);
        }
        for (const told of ["role", "aria-label", "aria-roledescription"]) part.removeAttribute(told);
      }
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", title.text);
    } else place.replaceChildren();
    place.hidden = asPrinted;
    printed.hidden = !asPrinted;
  };

  const download = (blob, name) => {
    const href = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href, download: name }).click();
    URL.revokeObjectURL(href);
  };

  const keep = async (figure) => {
    const text = JSON.stringify(await specOf(figure, scaleOf(figure, window.chartScale)), null, 1);
    download(new Blob([text], { type: "application/json" }), `${figure.dataset.chart}.vl.json`);
  };

  // A picture of the chart as it stands on the page, in the light colours, with its title and origin above it. It is made here
  // and not beside the SVG: as files, the pictures would make the site three times as large.
  const TITLE = 42;
  const picture = async (figure) => {
    await load(`${assets}palette.js`);
    const { title } = await specOf(figure, scaleOf(figure));
    const drawn = figure.querySelectorAll(".drawing svg, .interactive svg");
    const shown = [...drawn].find((svg) => svg.checkVisibility());
    const [, , width, height] = shown.getAttribute("viewBox").split(" ").map(Number);
    const colors = Object.fromEntries(Object.entries(window.palette).map(([color, name]) => [name, color]));
    const light = (text) => text.replaceAll(/var\(--([a-z0-9-]+)\)/g, (whole, name) => colors[name] ?? whole);
    const paper = colors["chart-paper"];
    const make = (name, attributes, text = "") => {
      const part = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
      part.textContent = text;
      return part;
    };
    const page = make("svg", { width, height: height + TITLE, "font-family": "Arial, sans-serif" });
    const add = (...part) => page.appendChild(make(...part));
    add("rect", { width: "100%", height: "100%", fill: paper });
    add("text", { x: 8, y: 18, "font-size": 13, "font-weight": "bold", fill: colors.ink }, title.text);
    add("text", { x: 8, y: 34, "font-size": 11, fill: colors.muted }, title.subtitle);
    add("g", { transform: `translate(0,${TITLE})` }).append(...shown.cloneNode(true).childNodes);
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(light(new XMLSerializer().serializeToString(page)))}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * (height + TITLE) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(blob, `${figure.dataset.chart}.png`), "image/png");
  };

  // Which charts are interactive stands in the URL too: a field that nobody sees is a control like any other.
  const chosen = Object.assign(document.createElement("input"), { type: "hidden" });
  chosen.dataset.control = "interactive";
  if (figures.length) document.body.append(chosen);
  const restore = () => {
    const wanted = new Set(chosen.value.split(","));
    for (const figure of figures) {
      figure.toggleAttribute("data-interactive", wanted.has(figure.dataset.chart));
      figure.querySelector("[data-do=toggle]").textContent = "interactive" in figure.dataset ? "As printed" : "Interactive";
    }
  };
  const toggle = (figure) => {
    const wanted = new Set(chosen.value.split(",").filter(Boolean));
    if (!wanted.delete(figure.dataset.chart)) wanted.add(figure.dataset.chart);
    chosen.value = [...wanted].join(",");
    chosen.dispatchEvent(new Event("input"));
  };
  const filterCases = () => {
    const wanted = document.querySelector("[data-control=case]")?.value;
    for (const part of document.querySelectorAll("[data-case]:not(tr)"))
      part.hidden = Boolean(wanted) && part.dataset.case !== wanted;
  };

  const near = new Set();
  const show = (figure) => draw(figure, scaleOf(figure, window.chartScale), "interactive" in figure.dataset);
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target);
        else near.delete(target);
        if (isIntersecting) show(target);
      }
    },
    { rootMargin: "400px" },
  );
  const adopt = (figure) => {
    watch.observe(figure);
    figure.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-do]");
      if (button?.dataset.do === "keep") keep(figure);
      if (button?.dataset.do === "png") picture(figure);
      if (button?.dataset.do === "toggle") toggle(figure);
    });
  };
  figures.forEach(adopt);

  // Called with what was folded away and now stands in the page.
  window.adoptCharts = (root) => {
    const added = [...root.querySelectorAll("figure[data-chart]")].filter((figure) => !figures.includes(figure));
    for (const element of root.querySelectorAll("figure [data-js]")) element.hidden = false;
    figures.push(...added);
    added.forEach(adopt);
    if (added.length) restore();
  };

  // Called with the scale that the reader chose, when any control changed; a chart is drawn when it comes near the window.
  window.scaleCharts = (scale) => {
    window.chartScale = scale;
    restore();
    filterCases();
    near.forEach(show);
  };
})();
