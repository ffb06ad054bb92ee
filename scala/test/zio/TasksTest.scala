package harness

import org.junit.jupiter.api.Assertions.{assertEquals, assertThrows}
import org.junit.jupiter.api.Test
import programs.{complete, join, Joined, Tasks}
import scala.jdk.CollectionConverters.*
import zio.{Trace as _, *}

final class TasksTest:
  private def traced[T](asked: Boolean)(body: Tasks => Task[T]): (T, Trace) =
    val trace = Trace(asked, () => "main")
    (complete(body(Tasks(trace))), trace)

  @Test def `a traced task has an identity of its own`(): Unit =
    val (joined, trace) = traced(true)(tasks => ZIO.foreach(List(0, 1))(i => tasks.start(i)(ZIO.succeed(i))).flatMap(join))
    assertEquals(Joined(2, 1), joined)
    val events = trace.events().asScala.map(_.asScala.toList.map(_.toString))
    assertEquals(Set("spawn", "spawned", "run", "done"), events.map(_.head).toSet)
    val units = events.map(event => (event(0), event(1)) -> event(2)).toMap
    assertEquals(units(("run", "0")), units(("done", "0")))
    assertEquals(3, events.map(_(2)).distinct.size)

  @Test def `without a trace nothing is recorded`(): Unit =
    val (joined, trace) =
      traced(false)(tasks => tasks.start(0)(tasks.recording("run", 0)(ZIO.succeed(5))).flatMap(task => join(List(task))))
    assertEquals(Joined(1, 5), joined)
    assertEquals(false, trace.on)

  @Test def `a task that fails fails whoever joins it`(): Unit =
    val failure = assertThrows(
      classOf[IllegalStateException],
      () => { val _ = traced(false)(_.start(0)(ZIO.fail(IllegalStateException("planted"))).flatMap(task => join(List(task)))) }
    )
    assertEquals("planted", failure.getMessage)
