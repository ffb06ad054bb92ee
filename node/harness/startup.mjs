// What verify reads of a startup program; loaded only when asked for, so that a measured start never pays for it.
import { writeLines } from "./lines.mjs";
import { hello } from "./program.mjs";

/** Times count from the start of the process, the only region there is. */
export function reportStartup(mode, finished, settings) {
  const { user, system } = process.cpuUsage();
  writeLines([
    hello("startup", { mode }, settings),
    {
      type: "iteration",
      index: 0,
      elapsed_ns: Math.round(process.uptime() * 1e9),
      cpu_ns: (user + system) * 1000,
      ops: 1,
      evidence: { finished },
    },
    { type: "end" },
  ]);
}
