// Charts drawn in the browser: another scale, or an interactive one. Everything comes from files beside the page, and only when it is asked for.
(() => {
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
    const { shared, scales } = window.charts[figure.dataset.chart];
    return { ...shared, ...scales[scale] };
  };

  // Colours become those of the page's theme, and follow it.
  const themed = (spec) =>
    JSON.parse(
      JSON.stringify(spec).replace(/"(#[0-9a-f]{6})"/g, (whole, color) => (window.palette[color] ? `"var(--${window.palette[color]})"` : whole)),
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
      for (const part of drawn.querySelectorAll("[role]")) part.removeAttribute("role"); // one picture, and not a hundred without names
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", title.text);
    } else place.replaceChildren();
    place.hidden = asPrinted;
    printed.hidden = !asPrinted;
  };

  const keep = async (figure) => {
    const scale = scaleOf(figure, window.chartScale);
    const text = JSON.stringify(await specOf(figure, scale), null, 1);
    const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href, download: `${figure.dataset.chart}.vl.json` }).click();
    URL.revokeObjectURL(href);
  };

  const figures = [...document.querySelectorAll("figure[data-chart]")];
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
  for (const figure of figures) {
    watch.observe(figure);
    figure.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-do]");
      if (button?.dataset.do === "keep") keep(figure);
      if (button?.dataset.do !== "toggle") return;
      if ("interactive" in figure.dataset) delete figure.dataset.interactive;
      else figure.dataset.interactive = "";
      button.textContent = "interactive" in figure.dataset ? "As printed" : "Interactive";
      show(figure);
    });
  }

  // Called with the scale that the reader chose; a chart is drawn when it comes near the window.
  window.scaleCharts = (scale) => {
    window.chartScale = scale;
    near.forEach(show);
  };
})();
