package programs

/** What a task of a tree joined below it and itself, and the sum of its leaves. */
final case class Sum(tasks: Int, leaves: Long):
  def and(child: Sum): Sum = Sum(tasks + child.tasks, leaves + child.leaves)
