package programs

import java.util.concurrent.atomic.AtomicInteger

/** How often another task was resumed than the one before. */
final class Switches:
  private val last = AtomicInteger(-1)
  private val counted = AtomicInteger()

  def resumed(task: Int): Unit = if last.getAndSet(task) != task then counted.incrementAndGet(): Unit

  def count: Int = counted.get
