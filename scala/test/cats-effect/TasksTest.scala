package harness

import cats.effect.{IO, IOLocal}
import cats.effect.unsafe.implicits.global
import cats.syntax.all.*
import org.junit.jupiter.api.Assertions.{assertEquals, assertThrows}
import org.junit.jupiter.api.Test
import programs.{join, Joined, Tasks}
import scala.jdk.CollectionConverters.*

final class TasksTest:
  private def traced[T](asked: Boolean)(body: Tasks => IO[T]): (T, Trace) =
    val trace = Trace(asked, () => "main")
    val result = IOLocal(Option.empty[String]).flatMap(unit => body(Tasks(trace, unit)))
    (result.unsafeRunSync(), trace)

  @Test def `a traced task has an identity of its own`(): Unit =
    val (joined, trace) = traced(true)(tasks => List(0, 1).traverse(i => tasks.start(i)(IO.pure(i))).flatMap(join))
    assertEquals(Joined(2, 1), joined)
    val events = trace.events().asScala.map(_.asScala.toList.map(_.toString))
    assertEquals(Set("spawn", "spawned", "run", "done"), events.map(_.head).toSet)
    val units = events.map(event => (event(0), event(1)) -> event(2)).toMap
    assertEquals(units(("run", "0")), units(("done", "0")))
    assertEquals(3, events.map(_(2)).distinct.size)

  @Test def `a task of a task has an identity of its own`(): Unit =
    val (_, trace) =
      traced(true)(tasks => tasks.start(0)(tasks.start(1)(IO.unit).flatMap(_.joinWithNever)).flatMap(_.joinWithNever))
    val units = trace.events().asScala.filter(_.get(0) == "run").map(_.get(2))
    assertEquals(2, units.distinct.size)

  @Test def `without a trace nothing is recorded`(): Unit =
    val (joined, trace) =
      traced(false)(tasks => tasks.start(0)(tasks.recording("run", 0)(IO.pure(5))).flatMap(task => join(List(task))))
    assertEquals(Joined(1, 5), joined)
    assertEquals(false, trace.on)

  @Test def `a task that fails fails whoever joins it`(): Unit =
    val failure = assertThrows(
      classOf[IllegalStateException],
      () => {
        val _ = traced(false)(_.start(0)(IO.raiseError[Int](IllegalStateException("planted"))).flatMap(task => join(List(task))))
      }
    )
    assertEquals("planted", failure.getMessage)
