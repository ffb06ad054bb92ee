/// The smallest process, or one task.
module startup;

import harness.program;
import tasks.scheduler;

long firstTask()
{
    return start(() => 1L).join();
}

int main(string[] arguments)
{
    if (arguments[1 .. $] == ["mode=bare"])
        return 0;
    if (arguments[1 .. $] == ["mode=first-task"])
        return firstTask() != 1;
    return run(arguments, "startup", ["mode": oneOf("bare", "first-task")], (program) {
        program.lap(() => Outcome(1, ["finished": program.word("mode") == "bare" ? 0 : firstTask()]));
    }, ["report"]);
}
