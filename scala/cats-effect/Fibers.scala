package programs

import cats.effect.{IO, IOLocal}
import cats.effect.unsafe.IORuntime
import harness.{Arguments, Outcome, Program, UsageException, VirtualMachine}
import scala.jdk.CollectionConverters.*

/** The process of a workload: the lines are Java's harness's, the tasks are fibers. */
final class Fibers(val program: Program, val tasks: Tasks):
  val arguments: Arguments = program.arguments

  /** The number that the results of this iteration must contain. */
  def nonce: Int = program.laps.nonce()

  def repeat(operation: => IO[Outcome]): IO[Unit] = repeatAfter(IO.unit)(_ => operation)

  /** Times the operation until that is enough; what `prepare` does before each time is not timed. */
  def repeatAfter[T](prepare: => IO[T])(operation: T => IO[Outcome]): IO[Unit] =
    IO.defer(prepare).flatMap(prepared => once(operation(prepared))) *>
      IO(program.laps.more()).ifM(IO.defer(repeatAfter(prepare)(operation)), IO.unit)

  /** The one timed iteration of a workload that has no more. */
  def once(operation: => IO[Outcome]): IO[Unit] =
    IO.defer:
      program.laps.start()
      operation.map(program.laps.stop)

  /** Stands still on purpose, thread and all, until the runner has looked at the process. */
  def hold(point: String, units: => Int): IO[Unit] = IO(program.hold(point, units))

/** Runs a workload to its last line; whatever goes wrong ends the process. */
def run(
    words: Array[String],
    workload: String,
    parameters: List[String],
    options: Set[String] = Set.empty
)(main: Fibers => IO[Unit]): Unit =
  try
    val program = Program(workload, Arguments(words, parameters.asJava, options.asJava), () => "main")
    val runtime = newRuntime()
    val whole =
      for
        _ <- IO(program.hello(version, settings(runtime)))
        unit <- IOLocal(Option.empty[String])
        _ <- main(Fibers(program, Tasks(program.trace, unit)))
        _ <- IO(program.end())
      yield ()
    whole.unsafeRunSync()(using runtime)
  catch case error: Throwable => Program.fail(error)

/** The library's own pool, with the variant's number of threads: the default has never fewer than two. */
def newRuntime(): IORuntime =
  val asked = System.getenv("COROBENCH_THREADS")
  val threads = Option(asked).flatMap(_.toIntOption).getOrElse(throw UsageException(s"COROBENCH_THREADS is $asked, no number"))
  val (compute, _, shutdown) = IORuntime.createWorkStealingComputeThreadPool(threads = threads)
  IORuntime.builder().setCompute(compute, shutdown).setScheduler(compute, () => ()).build()

/** The version that the library's jar says. */
def version: String = IO.getClass.getPackage.getImplementationVersion

def settings(runtime: IORuntime): java.util.Map[String, Object] =
  val pool = runtime.metrics.workStealingThreadPool.getOrElse(throw IllegalStateException("the pool steals no work"))
  VirtualMachine.settings("threads", pool.workerThreadCount())
