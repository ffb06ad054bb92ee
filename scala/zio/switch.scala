package programs

import harness.Outcome
import java.util.concurrent.atomic.AtomicInteger
import zio.*

object Switch:
  /** Looks at every resume; without trace=1 or count=1, which are never timed, there is none. */
  private final class Watcher(tasks: Tasks):
    val switches = AtomicInteger()
    private val last = AtomicInteger(-1)

    def resumed(task: Int): Task[Unit] =
      tasks.recording("run", task):
        ZIO.succeed(if last.getAndSet(task) != task then switches.incrementAndGet(): Unit)

  /** Yields until the count of its resumes has come to `last`. */
  private def yields(count: Int, last: Int): UIO[Int] =
    if count < last then ZIO.yieldNow.flatMap(_ => yields(count + 1, last)) else ZIO.succeed(count)

  private def watched(task: Int, count: Int, last: Int, watcher: Watcher): Task[Int] =
    if count < last then ZIO.yieldNow *> watcher.resumed(task) *> ZIO.suspend(watched(task, count + 1, last, watcher))
    else ZIO.succeed(count)

  /** Lets k tasks yield m times each; they count from the nonce on. */
  private def switch(fibers: Fibers, k: Int, m: Int, count: Boolean): Task[Outcome] =
    val watcher = Option.when(count || fibers.tasks.on)(Watcher(fibers.tasks))
    val first = fibers.nonce
    for
      tasks <- ZIO.foreach(List.range(0, k)): i =>
        fibers.tasks.startResuming(i):
          watcher.fold[Task[Int]](yields(first, first + m))(watched(i, first, first + m, _))
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
