package programs

import harness.Trace
import java.util.concurrent.atomic.AtomicInteger
import zio.*

/** Starts tasks and records who runs when: a fiber's identity is its FiberId. Without a trace a body is handed on as it is, as a
  * part of what is measured.
  */
final class Tasks(trace: Trace):
  private val numbers = AtomicInteger()

  val on: Boolean = trace.on()

  /** Where nothing is recorded there is no effect before `next`. */
  inline def recording[T](kind: String, task: Int)(inline next: Task[T]): Task[T] =
    if on then add(kind, task) *> next else next

  def add(kind: String, task: Int): UIO[Unit] =
    ZIO.fiberIdWith(unit => ZIO.succeed(trace.add(kind, task, unit.threadName)))

  /** Starts a task that is recorded from its first statement to its last. */
  def start[T](i: Int)(body: Task[T]): UIO[Fiber[Throwable, T]] =
    if on then recorded(i)(((add("run", i) *> body) <* add("done", i)).fork) else body.fork

  /** The same for a task that records by itself when it is resumed. */
  def startResuming[T](i: Int)(body: Task[T]): UIO[Fiber[Throwable, T]] =
    if on then recorded(i)((body <* add("done", i)).fork) else body.fork

  /** The same for a task that several may start, so that it has no number of its own but the next. */
  def startNext[T](body: Task[T]): UIO[Fiber[Throwable, T]] =
    if on then ZIO.succeed(numbers.getAndIncrement()).flatMap(start(_)(body)) else body.fork

  /** Starts a task that records all but its start by itself. */
  def startRecording[T](i: Int)(body: Task[T]): UIO[Fiber[Throwable, T]] =
    if on then recorded(i)(body.fork) else body.fork

  /** The same for a task that outlives the one that starts it: `fork` would interrupt it when that ends. */
  def startDaemon[T](i: Int)(body: Task[T]): UIO[Fiber[Throwable, T]] =
    if on then recorded(i)(body.forkDaemon) else body.forkDaemon

  private def recorded[T](i: Int)(started: UIO[Fiber[Throwable, T]]): UIO[Fiber[Throwable, T]] =
    add("spawn", i) *> started <* add("spawned", i)

/** Joins tasks in the order in which they were started. */
def join(tasks: List[Fiber[Throwable, Int]]): Task[Joined] =
  ZIO.foldLeft(tasks)(Joined.none)((joined, task) => task.join.map(joined.and(_)))
