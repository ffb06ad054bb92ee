// Forces a full collection in a process that was started without --expose-gc.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * The flag is set only now, so that nothing before this moment runs with another configuration than a user's.
 * The last-resort flavor also gives free pages back; after a plain gc() V8 keeps them pooled for some seconds.
 */
export function collectGarbage() {
  if (globalThis.Bun?.gc !== undefined) {
    globalThis.Bun.gc(true); // synchronously; its engine is another
    return;
  }
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")({ type: "major", execution: "sync", flavor: "last-resort" });
}
