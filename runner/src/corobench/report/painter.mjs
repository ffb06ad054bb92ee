// Draws charts for render.py. The first line of stdin is the engine as a JSON string, each further one a Vega-Lite specification;
// each is answered by a line: {"svg": ...} or {"error": ...}.
import { runInThisContext } from "node:vm";

let draw;

function start(engine) {
  globalThis.window = globalThis; // where the engine, which is that of the pages, leaves its parts
  runInThisContext(engine, { filename: "vega.js" });
  const { vega, vegaLite } = globalThis;
  vega.textMetrics.width = (item, text) => width(item, String(text ?? ""));
  const logger = vega.logger(vega.Error);
  return async (spec) => {
    const whole = vegaLite.compile(unmeasured(spec), { logger }).spec;
    const view = new vega.View(vega.parse(whole), { renderer: "none", logger });
    const svg = await view.toSVG();
    view.finalize();
    return tidy(svg);
  };
}

// Only titles take room by the width of their words: they are few, and what stands above and beside them is placed by it. For all other
// texts the charts keep room, whichever font a reader has. Vega takes a text of negative size for one without width, and writes the
// size as it is: the sign is taken away again.
const SIZES = ["fontSize", "labelFontSize"];

function unmeasured(value, key) {
  if (Array.isArray(value)) return value.map((part) => unmeasured(part));
  if (value === null || typeof value !== "object") return SIZES.includes(key) ? -value : value;
  const parts = Object.entries(value);
  return Object.fromEntries(
    parts.map(([name, part]) => [name, name === "title" || name === "data" ? part : unmeasured(part, name)]),
  );
}

// Attributes, empty shapes and digits (from a hundredth of a pixel on) that nobody sees: a third of the size.
const NOISE = new RegExp(
  [
    ' (?:aria-hidden="true"|role="graphics-[a-z]+"|aria-roledescription="[^"]*"|pointer-events="none"|class="[^"]*"|opacity="1"',
    '|font-family="Arial[^"]*")',
    '|<path d="" display="none"/>|<path d="M0,0h0v0h0Z"/>|<path d="M0\\.?5?,0\\.?5?h[\\d.]+v[\\d.]+h-[\\d.]+Z"/>',
  ].join(""),
  "g",
);
const PLACED = / (?:d|transform|[xy][12]?|width|height)="[^"]*"/g;
const FINE = /(?<=\.\d\d)\d+/g;

function tidy(svg) {
  const shown = svg.replace(NOISE, "").replace(PLACED, (found) => found.replace(FINE, ""));
  return shown.replaceAll('font-size="-', 'font-size="');
}

// Advance widths of Arial and of what is metrically like it, in thousandths of the size, from the space on (Adobe's Helvetica.afm).
const NORMAL =
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 " +
  "1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 " +
  "333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584";
const BOLD =
  "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 " +
  "975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 " +
  "333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584";
const [normal, bold] = [NORMAL, BOLD].map((widths) => widths.split(" ").map(Number));
const DIGIT = 556; // what is not ASCII is taken to be as wide

function width({ fontSize, fontWeight }, text) {
  if (!(fontSize > 0)) return 0; // the charts keep room for such texts
  const widths = fontWeight === "bold" ? bold : normal;
  let sum = 0;
  for (const letter of text) sum += widths[letter.codePointAt(0) - 32] ?? DIGIT;
  return (sum / 1000) * fontSize;
}

async function answer(line) {
  const given = JSON.parse(line);
  if (draw === undefined) {
    draw = start(given);
    return;
  }
  let said;
  try {
    said = { svg: await draw(given) };
  } catch (error) {
    said = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

process.stdout.on("error", () => process.exit()); // nobody reads any more

let rest = "";
process.stdin.setEncoding("utf8");
for await (const part of process.stdin) {
  const lines = (rest + part).split("\n");
  rest = lines.pop();
  for (const line of lines) await answer(line);
}
