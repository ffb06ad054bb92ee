// Installs the locked packages into a folder (this language's own by default) when the lock has changed.
//   node tools/install.mjs                 all of them, for the linter
//   node tools/install.mjs DIR             without the development ones, for the crosscheck
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

const LANGUAGE = resolve(import.meta.dirname, "..");
const INPUTS = ["package.json", "package-lock.json", ".npmrc"];
const NODE_FOLDER = dirname(process.execPath);

/** npm stands beside Node in its own archives and wheels, and elsewhere in Debian's packages. */
function npmCommand() {
  const scripts = [
    join(NODE_FOLDER, "../lib/node_modules/npm/bin/npm-cli.js"),
    "/usr/share/nodejs/npm/bin/npm-cli.js",
  ];
  const script = scripts.find(existsSync);
  return script === undefined ? ["npm"] : [process.execPath, script];
}

function install(target) {
  const own = target === LANGUAGE;
  const stamp = join(target, "node_modules", ".locked");
  const wanted = createHash("sha256")
    .update(readFileSync(join(LANGUAGE, "package-lock.json")))
    .update(own ? "all" : "production")
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return 0;

  if (!own) {
    mkdirSync(target, { recursive: true });
    for (const file of INPUTS) copyFileSync(join(LANGUAGE, file), join(target, file));
  }
  const [command, ...words] = [...npmCommand(), "ci", ...(own ? [] : ["--omit=dev"])];
  const env = { ...process.env, PATH: NODE_FOLDER + delimiter + process.env.PATH };
  const { status, error } = spawnSync(command, words, {
    cwd: target,
    env,
    stdio: ["ignore", 2, 2],
  });
  if (error?.code === "ENOENT") {
    console.error("npm was not found: the programs run without it, crosscheck and lint do not");
    return 0;
  }
  if (status === 0) writeFileSync(stamp, wanted);
  return status ?? 1;
}

process.exitCode = install(resolve(process.argv[2] ?? LANGUAGE));
