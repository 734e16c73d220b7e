/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/** The longest tasks of an attempt of a stage: where they ran, and how much they had to read. */
final class LongestTasks {
  private static final int KEPT = 10;

  /** As many on one executor are no chance. */
  private static final int MANY = 3;

  /** A judgement, as everywhere: slow is five times the median. */
  private static final double SLOW_FACTOR = 5;

  /** The longest last, in an order that does not depend on the log's. */
  private static final Comparator<Task> ORDER =
      Comparator.comparingLong(Task::millis)
          .thenComparingLong(Task::bytes)
          .thenComparing(Task::executor);

  private record Task(long millis, long bytes, String executor) {}

  private final PriorityQueue<Task> tasks = new PriorityQueue<>(KEPT, ORDER);
  private String executor = "";
  private boolean ranOnSeveral;

  /**
   * Adds a task that came to its end.
   *
   * @param bytes of files and of the shuffle that it read
   */
  void add(long millis, long bytes, String ranOn) {
    ranOnSeveral |= !executor.isEmpty() && !executor.equals(ranOn);
    executor = ranOn;
    Task task = new Task(millis, bytes, ranOn);
    if (tasks.size() < KEPT) {
      tasks.add(task);
    } else if (ORDER.compare(task, tasks.peek()) > 0) {
      tasks.poll();
      tasks.add(task);
    }
  }

  /** Returns what the longest task read; empty if there is none. */
  Optional<Long> bytes() {
    return tasks.stream().max(ORDER).map(Task::bytes);
  }

  /**
   * Returns the executor on which three or more slow tasks ran, if no other one had a slow task,
   * though others had tasks.
   *
   * @param medianMillis of all tasks
   */
  Optional<String> slowExecutor(double medianMillis) {
    Set<String> executors = new HashSet<>();
    int slow = 0;
    for (Task task : tasks) {
      if (task.millis >= SLOW_FACTOR * medianMillis) {
        executors.add(task.executor);
        slow++;
      }
    }
    boolean isOne = ranOnSeveral && slow >= MANY && executors.size() == 1;
    return isOne ? executors.stream().findFirst() : Optional.empty();
  }
}
