/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Lets threads go on one at a time, from one request to the next, in an order drawn from a seed.
 */
final class Baton {
  private final SplittableRandom chance;
  private final List<Runner> runners = new ArrayList<>();
  private final Semaphore parked = new Semaphore(0);

  Baton(SplittableRandom chance) {
    this.chance = chance;
  }

  /** A thread that waits for its turns. */
  final class Runner {
    private final Semaphore turn = new Semaphore(0);
    private boolean isOver;
    private int pause;

    /** Lets the others have so many turns, if there are any. */
    void pause(int turns) {
      pause = turns;
      await();
    }

    /** Waits until it may make its next request. */
    void await() {
      parked.release();
      turn.acquireUninterruptibly();
    }
  }

  /**
   * Adds work, which begins with its first turn.
   *
   * @param work is given what it must wait with before each request
   */
  void add(Consumer<Runner> work) {
    Runner runner = new Runner();
    runners.add(runner);
    Thread thread =
        new Thread(
            () -> {
              runner.await();
              try {
                work.accept(runner);
              } finally {
                runner.isOver = true;
                parked.release();
              }
            },
            "job-" + runners.size());
    thread.setDaemon(true);
    thread.start();
    parked.acquireUninterruptibly();
  }

  /** Runs until all work is over; after each turn the check is made. */
  void run(Runnable check) {
    List<Runner> waiting = new ArrayList<>(runners);
    while (!waiting.isEmpty()) {
      List<Runner> awake = waiting.stream().filter(runner -> runner.pause == 0).toList();
      List<Runner> choice = awake.isEmpty() ? waiting : awake;
      Runner next = choice.get(chance.nextInt(choice.size()));
      waiting.forEach(runner -> runner.pause = Math.max(0, runner.pause - 1));
      next.pause = 0;
      next.turn.release();
      parked.acquireUninterruptibly();
      if (next.isOver) {
        waiting.remove(next);
      }
      check.run();
    }
  }
}
