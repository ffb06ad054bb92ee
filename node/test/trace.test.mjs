// A task's events share one identity of the runtime's; calls on the caller's stack have the caller's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isRunning, startTrace } from "../harness/trace.mjs";

const trace = startTrace();

/** The units seen while `scenario(record)` runs, by task. */
async function unitsOf(scenario) {
  const from = trace.events.length;
  await scenario((i) => trace.record("run", i));
  const units = {};
  for (const [, i, unit] of trace.events.slice(from)) {
    units[i] ??= [];
    if (!units[i].includes(unit)) units[i].push(unit);
  }
  return units;
}

test("every task has one unit of its own, whatever it awaits", async () => {
  const gate = Promise.withResolvers();
  async function task(i, record) {
    await undefined;
    record(i);
    await null;
    record(i);
    await gate.promise;
    record(i);
    await new Promise(setImmediate);
    record(i);
    await nextTurn();
    record(i);
  }
  const units = await unitsOf(async (record) => {
    record("root");
    const tasks = [task(0, record), task(1, record)];
    await undefined;
    gate.resolve();
    await Promise.all(tasks);
    record("root");
  });
  assert.equal(units[0].length, 1);
  assert.equal(units[1].length, 1);
  assert.notEqual(units[0][0], units[1][0]);
  assert.ok(!units.root.includes(units[0][0]) && !units.root.includes(units[1][0]));
});

test("calls that a task awaits are the task, however deep they wait", async () => {
  const gate = Promise.withResolvers();
  async function descend(level, i, record) {
    record(i);
    if (level < 8) await descend(level + 1, i, record);
    else await gate.promise;
    record(i);
  }
  async function task(i, record) {
    await undefined;
    await descend(1, i, record);
    record(i);
  }
  const units = await unitsOf(async (record) => {
    const tasks = [task(0, record), task(1, record)];
    await undefined;
    gate.resolve();
    await Promise.all(tasks);
  });
  assert.equal(units[0].length, 1);
  assert.equal(units[1].length, 1);
  assert.notEqual(units[0][0], units[1][0]);
});

test("a task that another task starts is not its starter", async () => {
  const last = Promise.withResolvers();
  async function link(i, record) {
    await undefined;
    record(i);
    if (i < 2) link(i + 1, record);
    else last.resolve();
    record(i);
  }
  const units = await unitsOf(async (record) => {
    link(0, record);
    await last.promise;
  });
  assert.equal(new Set(Object.values(units).flat()).size, 3);
  assert.equal(Object.values(units).flat().length, 3);
});

const CALLS = {
  "a plain call": (i, record) => record(i),
  "an async function without await": async (i, record) => record(i),
  "an async function before its first await": async (i, record) => {
    record(i);
    await undefined;
  },
};

for (const [title, body] of Object.entries(CALLS)) {
  test(`${title} has the unit of its caller`, async () => {
    const units = await unitsOf(async (record) => {
      record("root");
      await Promise.all([body(0, record), body(1, record)]);
    });
    assert.deepEqual(units[0], units.root);
    assert.deepEqual(units[1], units.root);
  });
}

test("a generator runs between its resume and its yield", () => {
  const seen = [];
  function* body() {
    seen.push(isRunning(generator));
    yield;
    seen.push(isRunning(generator));
  }
  const generator = body();
  generator.next();
  generator.next();
  assert.deepEqual(seen, [true, true]);
  assert.equal(isRunning(generator), false);
});
