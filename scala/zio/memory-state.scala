package programs

import zio.*

object MemoryState:
  private val Depth = 8
  private val Size = 1024
  private val Values = 251

  /** What each level adds is a frame that waits for its call. */
  private def descend(i: Int, gate: Parking, level: Int): Task[Int] =
    if level < Depth then ZIO.suspend(descend(i, gate, level + 1)).map(_ + 1)
    else
      ZIO.suspend:
        val value = i % Values
        val state = Array.fill(Size)(value.toByte)
        gate.await(i)(1 - Depth + i - value + (state.last & 0xff))

  /** Parks n tasks, each eight calls deep with 1 KiB of its own. */
  def main(words: Array[String]): Unit =
    Parking.park(words, "memory-state")((i, gate) => descend(i, gate, 1))
