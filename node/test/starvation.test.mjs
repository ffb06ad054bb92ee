// Probes, the account of a load, and the pool of threads.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Account, slices } from "../harness/load.mjs";
import { Probes } from "../harness/probes.mjs";
import { WorkerPool } from "../harness/worker-pool.mjs";

test("a job is slices of a millisecond and the rest", () => {
  assert.deepEqual([...slices(2_500_000)], [1_000_000, 1_000_000, 500_000]);
});

test("an account is one wherever its memory is", () => {
  const here = new Account();
  const there = new Account(here.memory);
  here.add(5, 6);
  there.add(2, 1);
  assert.deepEqual([here.asked, here.worked, there.asked, there.worked], [7, 7, 7, 7]);
});

test("probes are complete when each was answered, and are as late as they took longer", async () => {
  const probes = new Probes(3, 1000, 2e6);
  probes.send(() => sleep(20)); // a timer may be early by milliseconds
  await probes.complete;
  assert.equal(probes.answered, 3);
  const lateness = probes.close();
  assert.equal(lateness.length, 3);
  assert.ok(lateness.every((late) => late > 0));
});

test("a probe without an answer is as late as it is, sent or not", async () => {
  const probes = new Probes(2, 200e6, 0);
  probes.send(() => new Promise(() => {}));
  await sleep(1);
  const [sent, unsent] = probes.close();
  assert.equal(probes.answered, 0);
  assert.ok(sent > 0 && sent > unsent);
});

test("none to send is complete", () => new Probes(0, 1, 1).complete);

test("the pool does every job once, more than it has threads at a time, and counts what it is told to", async () => {
  const account = new Account();
  const pool = await WorkerPool.start(2, account);
  const counted = Array.from({ length: 5 }, () => pool.run(1_500_000, true));
  await Promise.all([...counted, pool.run(1_000_000, false)]);
  assert.equal(account.asked, 7_500_000);
  assert.ok(account.worked > 0);
  pool.close();
});
