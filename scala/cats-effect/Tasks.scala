package programs

import cats.effect.{FiberIO, IO, IOLocal}
import cats.syntax.all.*
import harness.Trace
import java.util.concurrent.atomic.AtomicInteger

/** Starts tasks and records who runs when. Without a trace a body is handed on as it is, as a part of what is measured.
  *
  * A fiber is told from others by its own copy of `unit`, which the library keeps for each.
  */
final class Tasks(trace: Trace, unit: IOLocal[Option[String]]):
  private val units = AtomicInteger()
  private val numbers = AtomicInteger()

  val on: Boolean = trace.on()

  /** Where nothing is recorded there is no action before `next`. */
  inline def recording[T](kind: String, task: Int)(inline next: IO[T]): IO[T] =
    if on then add(kind, task) *> next else next

  def add(kind: String, task: Int): IO[Unit] = name.map(trace.add(kind, task, _))

  private val name: IO[String] =
    unit.get.flatMap:
      case Some(known) => IO.pure(known)
      case None        => IO(s"fiber-${units.getAndIncrement()}").flatTap(made => unit.set(Some(made)))

  /** Starts a task that is recorded from its first statement to its last. */
  def start[T](i: Int)(body: IO[T]): IO[FiberIO[T]] =
    if on then recorded(i)((add("run", i) *> body) <* add("done", i)) else body.start

  /** The same for a task that records by itself when it is resumed. */
  def startResuming[T](i: Int)(body: IO[T]): IO[FiberIO[T]] =
    if on then recorded(i)(body <* add("done", i)) else body.start

  /** The same for a task that several may start, so that it has no number of its own but the next. */
  def startNext[T](body: IO[T]): IO[FiberIO[T]] =
    if on then IO(numbers.getAndIncrement()).flatMap(start(_)(body)) else body.start

  /** Starts a task that records all but its start by itself. */
  def startRecording[T](i: Int)(body: IO[T]): IO[FiberIO[T]] =
    if on then recorded(i)(body) else body.start

  private def recorded[T](i: Int)(body: IO[T]): IO[FiberIO[T]] =
    // A fiber begins with what its parent's copy held.
    add("spawn", i) *> (unit.reset *> body).start <* add("spawned", i)

/** Joins tasks in the order in which they were started. */
def join(tasks: List[FiberIO[Int]]): IO[Joined] =
  tasks.foldM(Joined.none)((joined, task) => task.joinWithNever.map(joined.and(_)))
