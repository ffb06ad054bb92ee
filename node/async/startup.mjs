// The smallest process, and one that awaits one task; measured from outside, so it imports nothing unless asked to report.
const given = new Set(process.argv.slice(2));
const bare = given.delete("mode=bare");
const firstTask = given.delete("mode=first-task");
const report = given.delete("report=1");
given.delete("report=0");

async function task() {
  await undefined; // off the caller's stack
  return 1;
}

if (bare === firstTask || given.size > 0) {
  console.error("usage: mode=bare or mode=first-task, and report=1 if wanted");
  process.exitCode = 2;
} else {
  const finished = firstTask ? await task() : 0;
  if (firstTask && finished !== 1) process.exitCode = 1;
  if (report) {
    const { reportStartup } = await import("../harness/startup.mjs");
    reportStartup(firstTask ? "first-task" : "bare", finished);
  }
}
