package programs

import harness.{Arguments, Outcome, Program, VirtualMachine}
import scala.jdk.CollectionConverters.*
import zio.*

/** The process of a workload: the lines are Java's harness's, the tasks are fibers. */
final class Fibers(val program: Program):
  val arguments: Arguments = program.arguments
  val tasks: Tasks = Tasks(program.trace)

  /** The number that the results of this iteration must contain. */
  def nonce: Int = program.laps.nonce()

  def repeat(operation: => Task[Outcome]): Task[Unit] = repeatAfter(ZIO.unit)(_ => operation)

  /** Times the operation until that is enough; what `prepare` does before each time is not timed. */
  def repeatAfter[T](prepare: => Task[T])(operation: T => Task[Outcome]): Task[Unit] =
    ZIO.suspend(prepare).flatMap(prepared => once(operation(prepared))) *>
      ZIO.suspend(repeatAfter(prepare)(operation)).when(program.laps.more()).unit

  /** The one timed iteration of a workload that has no more. */
  def once(operation: => Task[Outcome]): Task[Unit] =
    ZIO.suspend:
      program.laps.start()
      operation.map(program.laps.stop)

  /** Stands still on purpose, thread and all, until the runner has looked at the process. */
  def hold(point: String, units: => Int): Task[Unit] = ZIO.attempt(program.hold(point, units))

/** Runs a workload to its last line; whatever goes wrong ends the process. */
def run(
    words: Array[String],
    workload: String,
    parameters: List[String],
    options: Set[String] = Set.empty
)(main: Fibers => Task[Unit]): Unit =
  try
    val program = Program(workload, Arguments(words, parameters.asJava, options.asJava), () => "main")
    complete:
      for
        told <- settings
        _ <- ZIO.attempt(program.hello(version, told))
        _ <- ZIO.suspend(main(Fibers(program)))
        _ <- ZIO.attempt(program.end())
      yield ()
  catch case error: Throwable => Program.fail(error)

/** Runs an effect on ZIO's own scheduler, which has as many threads as there are processors, and throws what it fails with. */
def complete[T](effect: Task[T]): T =
  Unsafe.unsafe: unsafe =>
    given Unsafe = unsafe
    Runtime.default.unsafe.run(effect).getOrThrow()

/** The version that the library's jar says. */
def version: String = ZIO.getClass.getPackage.getImplementationVersion

/** Those of the scheduler that runs this effect. */
val settings: UIO[java.util.Map[String, Object]] =
  ZIO.executor.map: executor =>
    val workers = Unsafe.unsafe(unsafe => executor.metrics(using unsafe).map(_.concurrency))
    VirtualMachine.settings("threads", workers.getOrElse(throw IllegalStateException("the scheduler tells no number of threads")))
