package coroutine

import harness.Arguments
import harness.Json
import harness.Outcome
import harness.Program
import harness.UsageException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.runBlocking
import java.lang.management.ManagementFactory
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** The process of a workload: the lines are Java's harness's, the tasks are coroutines of one scope. */
class Coroutines(
    val program: Program,
    scope: CoroutineScope,
) {
    val arguments: Arguments = program.arguments
    val trace = Tracing(program.trace)
    val tasks = Tasks(scope, trace)

    /** The number that the results of this iteration must contain. */
    val nonce: Int get() = program.laps.nonce()

    suspend fun repeat(operation: suspend () -> Outcome) = repeat({}, { operation() })

    /** Times the operation until that is enough; what [prepare] does before each time is not timed. */
    suspend fun <T> repeat(
        prepare: suspend () -> T,
        operation: suspend (T) -> Outcome,
    ) = repeat(prepare, operation, {})

    /** The same; what [release] does after each time is not timed either. */
    suspend fun <T> repeat(
        prepare: suspend () -> T,
        operation: suspend (T) -> Outcome,
        release: suspend (T) -> Unit,
    ) {
        do {
            val prepared = prepare()
            program.laps.start()
            val outcome = operation(prepared)
            program.laps.stop(outcome)
            release(prepared)
        } while (program.laps.more())
    }
}

/** Runs a workload to its last line; whatever goes wrong ends the process. */
fun run(
    words: Array<String>,
    workload: String,
    parameters: List<String>,
    options: Set<String> = emptySet(),
    main: suspend Coroutines.() -> Unit,
) {
    try {
        val program = Program(workload, Arguments(words, parameters, options)) { "main" }
        runBlocking(dispatcher()) {
            program.hello(version(), settings())
            // A scope of its own: a task that fails cancels the others and the root.
            coroutineScope { Coroutines(program, this).main() }
            program.end()
        }
    } catch (error: Throwable) {
        Program.fail(error)
    }
}

/** The variant's dispatcher: the event loop of `runBlocking` on the main thread, or the pool that is Kotlin's default. */
fun dispatcher(): CoroutineContext =
    when (val name = System.getenv("COROBENCH_DISPATCHER")) {
        "event-loop" -> EmptyCoroutineContext
        "default" -> Dispatchers.Default
        else -> throw UsageException("COROBENCH_DISPATCHER is \"$name\", not event-loop or default")
    }

/** The version that the library carries in its own jar. */
fun version(): String =
    checkNotNull(CoroutineScope::class.java.getResource("/META-INF/kotlinx_coroutines_core.version")) { "the library has no version" }
        .readText()
        .trim()

suspend fun settings(): Map<String, Any> =
    Json.`object`(
        "dispatcher",
        checkNotNull(currentCoroutineContext()[ContinuationInterceptor])::class.simpleName,
        "processors",
        Runtime.getRuntime().availableProcessors(),
        "kotlin",
        KotlinVersion.CURRENT.toString(),
        "gc",
        ManagementFactory.getGarbageCollectorMXBeans().joinToString { it.name },
        "largest_heap",
        Runtime.getRuntime().maxMemory(),
        "vm",
        System.getProperty("java.vm.version"),
        "options",
        ManagementFactory.getRuntimeMXBean().inputArguments.joinToString(" "),
    )
