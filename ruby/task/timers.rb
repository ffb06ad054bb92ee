# frozen_string_literal: true

require_relative "../harness/program"

SPREAD_NS = 1_000_000_000
MS = 1_000_000

# Sleeps until the deadline, and returns how many nanoseconds after it the task went on.
def sleep_until(deadline)
  sleep([deadline - Program.now_ns, 0].max / 1e9)
  Program.now_ns - deadline
end

# n tasks sleep once, each until a deadline of its own within one second; what each returned is handed on, too.
def sleep_all(program)
  n = program[:n]
  start = Program.now_ns + (program[:lead] * MS)
  tasks = Array.new(n) { |i| program.start(i) { [i, sleep_until(start + (i * SPREAD_NS / n))] } }
  [tasks.size, tasks.map(&:value)]
end

Program.run("timers", { n: 1, lead: 0 }) do |program|
  late = nil
  program.once do
    created, woken = sleep_all(program)
    late = woken.map(&:last)
    early = late.count { |ns| ns < -MS }
    [woken.size, { created: created, finished: woken.size, checksum: woken.sum(&:first), early: early }]
  end
  program.series("lateness", late.map { |ns| [ns, 0].max })
end
