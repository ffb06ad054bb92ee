package programs

import cats.effect.IO
import cats.syntax.all.*
import harness.Outcome
import java.util.concurrent.atomic.AtomicInteger

object Switch:
  /** Looks at every resume; without trace=1 or count=1, which are never timed, there is none. */
  private final class Watcher(tasks: Tasks):
    val switches = AtomicInteger()
    private val last = AtomicInteger(-1)

    def resumed(task: Int): IO[Unit] =
      tasks.recording("run", task):
        IO(if last.getAndSet(task) != task then switches.incrementAndGet(): Unit)

  /** Yields until the count of its resumes has come to `last`. */
  private def yields(count: Int, last: Int): IO[Int] =
    if count < last then IO.cede.flatMap(_ => yields(count + 1, last)) else IO.pure(count)

  private def watched(task: Int, count: Int, last: Int, watcher: Watcher): IO[Int] =
    if count < last then IO.cede *> watcher.resumed(task) *> IO.defer(watched(task, count + 1, last, watcher))
    else IO.pure(count)

  /** Lets k tasks yield m times each; they count from the nonce on. */
  private def switch(fibers: Fibers, k: Int, m: Int, count: Boolean): IO[Outcome] =
    val watcher = Option.when(count || fibers.tasks.on)(Watcher(fibers.tasks))
    val first = fibers.nonce
    for
      tasks <- List
        .range(0, k)
        .traverse: i =>
          fibers.tasks.startResuming(i):
            watcher.fold(yields(first, first + m))(watched(i, first, first + m, _))
      joined <- join(tasks)
    yield
      val resumes = joined.checksum - k.toLong * first
      val counted = watcher.filter(_ => count).toList.flatMap(seen => List("true_switches", seen.switches.get))
      val evidence = List("finished", joined.finished, "resumes", resumes, "checksum", joined.checksum)
      Outcome.of(resumes, (evidence ++ counted)*)

  def main(words: Array[String]): Unit =
    run(words, "switch", List("k", "m"), Set("count")): fibers =>
      val k = fibers.arguments.integer("k", 1)
      val m = fibers.arguments.integer("m", 1)
      val count = fibers.arguments.flag("count")
      fibers.repeat(switch(fibers, k, m, count))
