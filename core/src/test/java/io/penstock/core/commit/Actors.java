/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Threads of which one runs at a time, from one request to its next. */
final class Actors {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "actor");
            thread.setDaemon(true);
            return thread;
          });

  private final List<Actor> all = new ArrayList<>();
  private final Semaphore parked = new Semaphore(0);

  /** One process. */
  final class Actor {
    private final Semaphore turn = new Semaphore(0);
    private volatile Throwable failure;
    private boolean isOver;
    private int pause;

    /** Waits until it may make its next request. */
    void await() {
      parked.release();
      turn.acquireUninterruptibly();
    }

    /** Lets another one go on before this one's next request, if there is one. */
    void yieldOnce() {
      pause = 1;
    }

    /** Lets the others have so many turns, if there are any. */
    void pause(int turns) {
      pause = turns;
      await();
    }
  }

  /** The work of an actor. */
  interface Work {
    void run(Actor self) throws Exception;
  }

  /** Starts work, which waits for its first turn. */
  Actor start(Work work) {
    Actor actor = new Actor();
    all.add(actor);
    THREADS.execute(
        () -> {
          actor.await();
          try {
            work.run(actor);
          } catch (Throwable e) {
            actor.failure = e;
          } finally {
            actor.isOver = true;
            parked.release();
          }
        });
    parked.acquireUninterruptibly();
    return actor;
  }

  /** Returns those that have work left and do not pause; if all pause, those that have work. */
  List<Actor> ready() {
    List<Actor> working = all.stream().filter(actor -> !actor.isOver).toList();
    List<Actor> awake = working.stream().filter(actor -> actor.pause == 0).toList();
    return awake.isEmpty() ? working : awake;
  }

  /** Lets one actor go on until it wants to make its next request. */
  void step(Actor actor) {
    all.forEach(other -> other.pause = Math.max(0, other.pause - 1));
    actor.pause = 0;
    actor.turn.release();
    parked.acquireUninterruptibly();
    if (actor.failure != null) {
      throw new AssertionError("an actor ended by " + actor.failure, actor.failure);
    }
  }
}
