// Where the runtime has no asynchronous ids, a task is the context that it restores.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startContextTrace } from "../harness/context-trace.mjs";

/** Starts two bodies as a program does, joins them, and returns the units of `run`, by task. */
async function unitsOf(body) {
  const { events, record } = startContextTrace();
  const handles = [];
  for (const i of [0, 1]) {
    record("spawn", i);
    handles.push(body(i, record));
    record("spawned", i);
  }
  await Promise.all(handles);
  record("collect", 0);
  const units = { root: new Set(), 0: new Set(), 1: new Set() };
  for (const [kind, i, unit] of events) units[kind === "run" ? i : "root"].add(unit);
  return Object.fromEntries(Object.entries(units).map(([who, seen]) => [who, [...seen]]));
}

test("every task has one unit of its own, whatever it awaits, and the root has another", async () => {
  const units = await unitsOf(async (i, record) => {
    await undefined;
    record("run", i);
    await new Promise(setImmediate);
    record("run", i);
  });
  assert.deepEqual(units, { root: ["main"], 0: ["context-0"], 1: ["context-1"] });
});

test("a task that another task starts is not its starter", async () => {
  const units = await unitsOf(async (i, record) => {
    if (i === 1) return;
    await undefined;
    record("spawn", 1);
    const child = (async () => {
      await undefined;
      record("run", 1);
    })();
    record("spawned", 1);
    record("run", 0);
    await child;
  });
  assert.deepEqual([units[0], units[1]], [["context-0"], ["context-1"]]);
});

const CALLS = {
  "a plain call": (i, record) => record("run", i),
  "an async function without await": async (i, record) => record("run", i),
};

for (const [title, body] of Object.entries(CALLS)) {
  test(`${title} has the unit of its caller`, async () => {
    assert.deepEqual(await unitsOf(body), { root: ["main"], 0: ["main"], 1: ["main"] });
  });
}

test("two bodies in one task have one unit", async () => {
  let first;
  const units = await unitsOf((_i, record) => {
    first ??= (async () => {
      await undefined;
      record("run", 0);
      record("run", 1);
    })();
    return first;
  });
  assert.deepEqual(units[0], units[1]);
});
