/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * The network between one process and the store. Each request waits for the process's turn, and may
 * then be throttled, lose its answer, arrive late or twice; or the process stops for minutes, or
 * for ever, before or after it.
 */
final class Wire extends StoreWrapper {
  /** The faults that a request may meet. */
  private enum Fault {
    THROTTLED,
    ANSWER_LOST,
    LATE,
    DOUBLED,
    PAUSED,
    ALL_PAUSED,
    DIES_BEFORE,
    DIES_AFTER,
    DIES_AND_LATE
  }

  /** For how long after its sender has given up a request may still take effect. */
  private enum Lateness {
    NONE,
    SECONDS,
    ANY
  }

  /** Ways in which a store refuses a process, or does not confirm what it has done. */
  private enum Refusal {
    /** One request is denied. */
    DENIED,
    /** The credentials have expired: this request is denied, and all that follow. */
    EXPIRED,
    /** The answer to a bulk delete confirms nothing. Nothing was deleted. */
    UNCONFIRMED,
    /** The same, but all was deleted. */
    UNCONFIRMED_BUT_DONE
  }

  private static final Refusal[] REFUSALS = Refusal.values();
  private static final Fault[] FAULTS = Fault.values();
  private static final int DEATHS = 3;

  private final Schedule schedule;
  private final Actors.Actor self;
  private final Doing doing;
  private final Thread owner = Thread.currentThread();
  private Map<String, Condition> toDelete = Map.of();
  private Body sending = Body.empty();
  private boolean isDead;

  Wire(ObjectStore inner, Schedule schedule, Actors.Actor self, Doing doing) {
    super(inner);
    this.schedule = schedule;
    this.self = self;
    this.doing = doing;
  }

  boolean isDead() {
    return isDead;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    if (Thread.currentThread() != owner || schedule.isInTimer()) {
      // A lease is renewed.
      if (isDead) {
        throw denied(operation, key);
      }
      return call.run();
    }
    self.await();
    schedule.requireGoing();
    if (isDead) {
      throw denied(operation, key);
    }
    if (schedule.hasExpired(doing) || !doing.may(operation, key)) {
      schedule.log(doing.id + " " + operation + " " + key + " DENIED");
      return schedule.answered(
          doing, operation, key, () -> hostile(Refusal.DENIED, operation, key, call));
    }
    boolean makesTable = operation == Operation.PUT && isMarker(key) && doing.keys.isEmpty();
    if (schedule.isHostile() && !makesTable && schedule.choices().isFault()) {
      Refusal refusal =
          REFUSALS[schedule.choices().among(operation == Operation.DELETE_ALL ? 4 : 2)];
      schedule.log(doing.id + " " + operation + " " + key + " " + refusal);
      schedule.refused(doing, refusal == Refusal.EXPIRED);
      return schedule.answered(doing, operation, key, () -> hostile(refusal, operation, key, call));
    }
    if (!schedule.choices().isFault()) {
      schedule.log(doing.id + " " + operation + " " + key);
      return schedule.answered(doing, operation, key, call::run);
    }
    // A change of a directory that dies half-way leaves a half, as everybody knows.
    int kinds = doing.kind.isJob() ? FAULTS.length : FAULTS.length - DEATHS;
    Fault fault = FAULTS[schedule.choices().among(kinds)];
    schedule.log(doing.id + " " + operation + " " + key + " " + fault);
    return schedule.answered(doing, operation, key, () -> faulty(fault, operation, key, call));
  }

  private <T> T faulty(Fault fault, Operation operation, String key, Call<T> call)
      throws IOException {
    Lateness lateness = lateness(operation, key);
    switch (fault) {
      case THROTTLED -> throw StoreException.of(Kind.THROTTLED, operation, key, "scripted.");
      case ANSWER_LOST -> {
        call.run();
        throw lost(operation, key);
      }
      case LATE -> {
        if (lateness == Lateness.NONE) {
          return call.run();
        }
        comesLate(lateness, operation, key, call);
        throw lost(operation, key);
      }
      case DOUBLED -> {
        T answer = call.run();
        if (lateness == Lateness.ANY) {
          comesLate(lateness, operation, key, call);
        } else {
          call.run();
        }
        return answer;
      }
      case PAUSED -> {
        if (mayWaitBefore(operation, lateness)) {
          schedule.pause(doing, self);
        }
      }
      case ALL_PAUSED -> {
        if (mayWaitBefore(operation, lateness)) {
          schedule.pauseAll();
        }
      }
      case DIES_BEFORE, DIES_AFTER, DIES_AND_LATE -> {
        if (fault == Fault.DIES_AFTER) {
          call.run();
        } else if (fault == Fault.DIES_AND_LATE && lateness != Lateness.NONE) {
          comesLate(lateness, operation, key, call);
        }
        isDead = true;
        schedule.died(doing);
        throw denied(operation, key);
      }
    }
    return call.run();
  }

  /** A bulk delete is answered key by key, with status 200. */
  @SuppressWarnings("unchecked") // The answer of a DELETE_ALL.
  private <T> T hostile(Refusal refusal, Operation operation, String key, Call<T> call)
      throws IOException {
    if (refusal == Refusal.UNCONFIRMED_BUT_DONE) {
      call.run();
    }
    doing.mayLackMarker |= operation == Operation.PUT && isMarker(key);
    if (schedule.hasExpired(doing)) {
      throw StoreException.of(Kind.EXPIRED_CREDENTIALS, operation, key, "scripted.");
    }
    if (operation != Operation.DELETE_ALL) {
      throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "scripted.");
    }
    Map<String, StoreException> failures = new HashMap<>();
    for (String one : toDelete.keySet()) {
      Kind kind = refusal == Refusal.DENIED ? Kind.ACCESS_DENIED : Kind.NOT_S3;
      failures.put(one, StoreException.of(kind, operation, one, "scripted."));
    }
    return (T) failures;
  }

  private void comesLate(Lateness lateness, Operation operation, String key, Call<?> call)
      throws IOException {
    String what = doing.id + " " + operation + " " + key;
    if (operation == Operation.PUT) {
      sending.open();
    }
    if (lateness == Lateness.ANY) {
      schedule.late(what, call::run);
    } else {
      schedule.lateBySeconds(what, call::run);
    }
  }

  /** Bodies are read when they are sent, also those of requests that arrive late. */
  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    sending = new Sent(body);
    return super.put(key, sending, condition);
  }

  /** A body that is read once, when it is first sent. */
  private static final class Sent implements Body {
    private final Body body;
    private byte[] bytes;

    Sent(Body body) {
      this.body = body;
    }

    @Override
    public long sizeBytes() {
      return body.sizeBytes();
    }

    @Override
    public InputStream open() throws IOException {
      if (bytes == null) {
        bytes = body.open().readAllBytes();
      }
      return new ByteArrayInputStream(bytes);
    }
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    toDelete = Map.of(key, condition);
    super.delete(key, condition);
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    toDelete = keys;
    return super.deleteAll(keys);
  }

  /**
   * S3 has nothing against a plain PUT or DELETE that arrives late, or that a process sends when it
   * wakes up, of a name that is used again. Servers close connections on which nothing moves, so
   * such a request is late by seconds only. A DELETE under a condition may arrive at any time.
   */
  private Lateness lateness(Operation operation, String key) {
    return switch (operation) {
      case PUT -> key.contains("/_penstock_") ? Lateness.ANY : Lateness.SECONDS;
      case DELETE ->
          isMarker(key) && !schedule.isConditional() ? Lateness.SECONDS : latenessOfDelete();
      case DELETE_ALL -> latenessOfDelete();
      case COPY, COPY_PART -> Lateness.NONE;
      default -> Lateness.ANY;
    };
  }

  private Lateness latenessOfDelete() {
    return toDelete.entrySet().stream()
            .filter(one -> isFixed(one.getKey()) || isMarker(one.getKey()))
            .anyMatch(one -> !schedule.isConditional() || one.getValue().equals(Condition.NONE))
        ? Lateness.NONE
        : Lateness.ANY;
  }

  /** A DELETE is sent at once, unless the store refuses it once another object is there. */
  private static boolean mayWaitBefore(Operation operation, Lateness lateness) {
    boolean isDelete = operation == Operation.DELETE || operation == Operation.DELETE_ALL;
    return !isDelete || lateness == Lateness.ANY;
  }

  private static boolean isFixed(String key) {
    return key.matches("[tu]/part-[0-9]");
  }

  private static boolean isMarker(String key) {
    return key.endsWith("/_SUCCESS");
  }

  private static StoreException lost(Operation operation, String key) {
    return StoreException.of(Kind.CONNECTION_LOST, operation, key, "scripted.");
  }

  private static StoreException denied(Operation operation, String key) {
    return StoreException.of(Kind.ACCESS_DENIED, operation, key, "the process is dead.");
  }
}
