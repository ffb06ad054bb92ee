// Which implementation of the language runs this. Bun and Deno also give a version of Node, the one that they imitate.
const { bun, deno } = process.versions;

/** Its name is the key of its version in process.versions. */
export const IMPLEMENTATION =
  (bun !== undefined && "bun") || (deno !== undefined && "deno") || "node";
