require "../harness/program"

# It is a program of its own: what starts has nothing of the others in it.
{% skip_file if flag?(:together) %}

# The smallest process, or one fiber.
private def first_task : Int64
  result = Channel(Int64).new
  spawn { result.send(1_i64) }
  result.receive
end

case ARGV
when ["mode=bare"]
when ["mode=first-task"]
  exit(first_task == 1 ? 0 : 1)
else
  Program.run("startup", {mode: ["bare", "first-task"]}, ["report"]) do |program|
    program.lap { {1_i64, {finished: program.word("mode") == "bare" ? 0_i64 : first_task}} }
  end
end
