// Installs the locked packages into a folder (this language's own by default) when the lock has changed.
//   node tools/install.mjs                 all of them, for the linter
//   node tools/install.mjs DIR             without the development ones, for the crosscheck
//   node tools/install.mjs DIR SOURCE      those that are locked in another folder
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";

const LANGUAGE = resolve(import.meta.dirname, "..");
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

function install(target, source) {
  const inputs = [
    join(source, "package.json"),
    join(source, "package-lock.json"),
    join(LANGUAGE, ".npmrc"),
  ];
  const own = target === LANGUAGE;
  const stamp = join(target, "node_modules", ".locked");
  const wanted = createHash("sha256")
    .update(readFileSync(join(source, "package-lock.json")))
    .update(own ? "all" : "production")
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return 0;

  if (!own) {
    mkdirSync(target, { recursive: true });
    for (const file of inputs) copyFileSync(file, join(target, basename(file)));
  }
  const [command, ...words] = [...npmCommand(), "ci", ...(own ? [] : ["--omit=dev"])];
  const env = { ...process.env, PATH: NODE_FOLDER + delimiter + process.env.PATH };
  const { status, error } = spawnSync(command, words, {
    cwd: target,
    env,
    stdio: ["ignore", 2, 2],
  });
  if (error?.code === "ENOENT") {
    console.error(
      "npm was not found: Node's programs run without it, Bun, Deno, crosscheck and lint do not",
    );
    return 0;
  }
  if (status === 0) writeFileSync(stamp, wanted);
  return status ?? 1;
}

const [target = LANGUAGE, source = LANGUAGE] = process.argv.slice(2);
process.exitCode = install(resolve(target), resolve(source));
