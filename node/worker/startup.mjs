// The smallest process, and one that starts a thread and joins it; measured from outside, so it imports nothing unless needed.
const given = new Set(process.argv.slice(2));
const bare = given.delete("mode=bare");
const firstTask = given.delete("mode=first-task");
const report = given.delete("report=1");
given.delete("report=0");

async function task() {
  const { Crew } = await import("./crew.mjs");
  const crew = new Crew(null);
  return crew.join(crew.start(1, "number"));
}

if (bare === firstTask || given.size > 0) {
  console.error("usage: mode=bare or mode=first-task, and report=1 if wanted");
  process.exitCode = 2;
} else {
  const finished = firstTask ? await task() : 0;
  if (firstTask && finished !== 1) process.exitCode = 1;
  if (report) {
    const { reportStartup } = await import("../harness/startup.mjs");
    const { settings } = await import("./root.mjs");
    reportStartup(firstTask ? "first-task" : "bare", finished, await settings());
  }
}
