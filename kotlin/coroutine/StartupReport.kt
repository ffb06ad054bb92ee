package coroutine

import harness.Arguments
import harness.Outcome
import harness.Program
import kotlinx.coroutines.runBlocking

private val modes = listOf("bare", "first-task")

/** What verify reads of the startup program, and how that refuses other words; a measured start never loads it. */
fun report(
    words: Array<String>,
    perform: (String) -> Int,
) {
    try {
        val arguments = Arguments(words, listOf("mode"), setOf("report"))
        val mode = arguments.word("mode", modes)
        if (!arguments.flag("report")) {
            perform(mode)
            return
        }
        val program = Program("startup", arguments) { "main" }
        program.hello(version(), runBlocking(dispatcher()) { settings() })
        program.laps.start()
        program.laps.stop(Outcome.of(1, "finished", perform(mode)))
        program.end()
    } catch (error: Throwable) {
        Program.fail(error)
    }
}
