/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.time.Time;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Measures how fast ranges of an object are read. A range of 1 byte shows the time to the first
 * byte, and a range of 8 MiB is typical for a scan. The first request opens the connection and is
 * not counted.
 */
public record ReadCheck(ObjectStore store, String prefix, Time time) implements Check {
  private static final String SMALL = "GET 1 B";
  private static final String LARGE = "GET 8 MiB";
  private static final long LARGE_BYTES = 8 << 20;

  /** For a smaller object, a second measurement would only repeat the time to the first byte. */
  private static final long WORTH_BYTES = 1 << 20;

  private static final int TRIES = 20;

  /** Stops measuring after this long. */
  private static final Duration ENOUGH = Duration.ofSeconds(8);

  private static final long SLOW_MICROS = 200_000;
  private static final long SLOW_TAIL_MICROS = 1_000_000;

  @Override
  public String name() {
    return "GET";
  }

  @Override
  public Duration ceiling() {
    return Duration.ofSeconds(45);
  }

  @Override
  public List<CheckOutcome> look() throws IOException {
    Optional<ObjectMeta> object =
        store.list(ListRequest.flat(prefix)).objects().stream()
            .filter(meta -> meta.sizeBytes() > 0)
            .max(Comparator.comparingLong(ObjectMeta::sizeBytes));
    if (object.isEmpty()) {
      String why = "none of the first 1,000 keys is an object with content";
      return List.of(CheckOutcome.skipped(SMALL, why), CheckOutcome.skipped(LARGE, why));
    }
    try {
      return List.of(small(object.get()), large(object.get()));
    } catch (StoreException e) {
      return List.of(Refusal.of(name(), e));
    }
  }

  private CheckOutcome small(ObjectMeta object) throws IOException {
    Tries tries = read(object, 1);
    boolean isSlow = tries.percentile(50) > SLOW_MICROS || tries.percentile(95) > SLOW_TAIL_MICROS;
    String said = "to the first byte: " + tries.shown();
    return numbers(
        isSlow
            ? CheckOutcome.warn(
                SMALL,
                said,
                "S3 in the same region answers in 20 to 100 ms. Check whether the store is far"
                    + " away, busy or behind a proxy, and read the lines about CPU limit and DNS.")
            : CheckOutcome.pass(SMALL, said),
        tries);
  }

  private CheckOutcome large(ObjectMeta object) throws IOException {
    if (object.sizeBytes() < WORTH_BYTES) {
      return CheckOutcome.skipped(
          LARGE, "the largest object found has only %,d bytes".formatted(object.sizeBytes()));
    }
    long bytes = Math.min(LARGE_BYTES, object.sizeBytes());
    Tries tries = read(object, bytes);
    double mebibytesPerSecond = bytes / 1.048576 / tries.percentile(50);
    String size = bytes == LARGE_BYTES ? "" : "%,d bytes: ".formatted(bytes);
    return numbers(
        CheckOutcome.pass(
            LARGE,
            "%s%s: %,.0f MiB/s on one connection"
                .formatted(size, tries.shown(), mebibytesPerSecond)),
        tries);
  }

  private static CheckOutcome numbers(CheckOutcome outcome, Tries tries) {
    return outcome
        .with("p50Micros", tries.percentile(50))
        .with("p95Micros", tries.percentile(95))
        .with("tries", tries.count());
  }

  private Tries read(ObjectMeta object, long bytes) throws IOException {
    List<Long> micros = new ArrayList<>();
    long start = time.nowNanos();
    for (int i = 0; i <= TRIES; i++) {
      long before = time.nowNanos();
      store.get(object.key(), new ByteRange(0, bytes), Optional.empty());
      long after = time.nowNanos();
      boolean isLast = after - start > ENOUGH.toNanos();
      if (i > 0 || isLast) {
        micros.add((after - before) / 1_000);
      }
      if (isLast) {
        break;
      }
    }
    return new Tries(micros);
  }
}
