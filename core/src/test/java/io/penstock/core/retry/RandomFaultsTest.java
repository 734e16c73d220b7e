/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.penstock.core.config.Settings;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Two writers on a store that fails at random, before it acts and after it: what is reported as
 * done took effect, exactly once, and a conditional write is reported as done if and only if it
 * won. Few keys and two contents, so that the writers meet, and write the same.
 *
 * <p>Replay one seed by {@code -Dpenstock.test.seed=N}.
 */
class RandomFaultsTest {
  private static final int SEEDS = 100;
  private static final int STEPS = 60;

  @Test
  void whatIsReportedIsWhatHappened() throws IOException {
    Long only = Long.getLong("penstock.test.seed");
    for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++) {
      try {
        new Run(seed).run();
      } catch (AssertionError | IOException | RuntimeException e) {
        fail("seed %d; replay with -Dpenstock.test.seed=%d".formatted(seed, seed), e);
      }
    }
  }

  /** Fails one request in three, half of those after it was done. */
  private static final class Weather extends StoreWrapper {
    private static final List<Kind> BEFORE =
        List.of(Kind.SERVER_ERROR, Kind.CONNECTION_LOST, Kind.THROTTLED, Kind.CONFLICT);
    private static final List<Kind> AFTER =
        List.of(Kind.SERVER_ERROR, Kind.CONNECTION_LOST, Kind.THROTTLED);

    private final SplittableRandom chance;
    private final Set<String> writeIds = new HashSet<>();

    Weather(ObjectStore inner, SplittableRandom chance) {
      super(inner);
      this.chance = chance;
    }

    @Override
    protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
        throws IOException {
      int draw = chance.nextInt(6);
      if (draw == 0) {
        throw failure(BEFORE, operation, key);
      }
      T answer = call.run();
      if (draw == 1) {
        // A truncated answer to a read is a lost one too.
        throw failure(AFTER, operation, key);
      }
      return answer;
    }

    @Override
    public String put(String key, Body body, Condition condition) throws IOException {
      return around(
          Operation.PUT,
          key,
          body.sizeBytes(),
          () -> {
            String etag = inner.put(key, body, condition);
            condition
                .writeId()
                .ifPresent(
                    writeId -> assertThat(writeIds.add(writeId)).as("took effect once").isTrue());
            return etag;
          });
    }

    private StoreException failure(List<Kind> kinds, Operation operation, String key) {
      Kind kind = kinds.get(chance.nextInt(kinds.size()));
      return StoreException.of(kind, operation, key, "weather " + kind + ".");
    }
  }

  /** What is at a key: which write of the run put it there, and its ETag. */
  private record Stored(int write, String etag) {}

  private static final class Run {
    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryStore bare = new InMemoryStore("lake", time);
    private final Map<String, Stored> model = new TreeMap<>();
    private final SplittableRandom chance;
    private final Weather weather;
    private final List<LayeredStore> writers;
    private int writes;

    Run(long seed) {
      this.chance = new SplittableRandom(seed);
      this.weather = new Weather(bare, chance.split());
      this.writers = List.of(writer(), writer());
    }

    private LayeredStore writer() {
      RetryConfig patient =
          RetryConfig.from(
              Settings.of(
                  Map.of(
                      "penstock.retry.attempts.max", "100",
                      "penstock.retry.duration.max", "1h")));
      return LayeredStores.retrying(weather, patient, time, chance.split());
    }

    void run() throws IOException {
      for (int step = 0; step < STEPS; step++) {
        LayeredStore writer = writers.get(chance.nextInt(2));
        String key = "key-" + chance.nextInt(3);
        byte[] content = {(byte) chance.nextInt(2)};
        step(writer, key, content);
        check();
      }
    }

    private void step(LayeredStore writer, String key, byte[] content) throws IOException {
      switch (chance.nextInt(8)) {
        case 0, 1 -> conditional(key, Condition.IF_ABSENT, content, writer, model.get(key) == null);
        case 2 -> {
          // Of what is there, or was there once; the same bytes have the same ETag.
          String etag = bare.put("elsewhere", Body.ofBytes(content), Condition.NONE);
          Stored old = model.get(key);
          boolean holds = old != null && old.etag().equals(etag);
          conditional(key, Condition.ifMatch(etag), new byte[] {9}, writer, holds);
        }
        case 3 -> {
          String etag = writer.put(key, Body.ofBytes(content), Condition.NONE);
          model.put(key, new Stored(++writes, etag));
        }
        case 4 -> {
          writer.delete(key);
          model.remove(key);
        }
        case 5 -> upload(key, content, writer, Condition.NONE, true);
        case 6 -> upload(key, content, writer, Condition.IF_ABSENT, model.get(key) == null);
        default -> read(writer, key);
      }
    }

    private void conditional(
        String key, Condition condition, byte[] content, ObjectStore writer, boolean holds)
        throws IOException {
      Optional<String> before = writeId(key);
      Optional<String> etag = won(() -> writer.put(key, Body.ofBytes(content), condition));

      assertThat(etag.isPresent()).as("%s of %s wins", condition, key).isEqualTo(holds);
      if (etag.isPresent()) {
        model.put(key, new Stored(++writes, etag.get()));
        assertThat(writeId(key)).as("the mark of this very write").isPresent().isNotEqualTo(before);
      } else {
        assertThat(writeId(key)).as("nothing happened").isEqualTo(before);
      }
    }

    private void upload(
        String key, byte[] content, LayeredStore writer, Condition condition, boolean holds)
        throws IOException {
      Upload upload = writer.createUpload(key);
      Part part = writer.uploadPart(upload, 1, Body.ofBytes(content));
      PendingUpload pending = new PendingUpload(upload, List.of(part));

      Optional<String> etag = won(() -> writer.completeUpload(pending, condition));

      assertThat(etag.isPresent()).as("%s of %s wins", condition, key).isEqualTo(holds);
      etag.ifPresent(done -> model.put(key, new Stored(++writes, done)));
    }

    private void read(LayeredStore writer, String key) throws IOException {
      Stored there = model.get(key);
      try {
        String etag = writer.get(key, new ByteRange(0, 1), Optional.empty()).meta().etag();
        assertThat(there).isNotNull();
        assertThat(etag).isEqualTo(there.etag());
      } catch (StoreException e) {
        if (e.kind() != Kind.NO_SUCH_KEY) {
          throw e;
        }
        assertThat(there).isNull();
      }
    }

    /** A write that may lose. */
    private interface Write {
      String run() throws IOException;
    }

    private static Optional<String> won(Write write) throws IOException {
      try {
        return Optional.of(write.run());
      } catch (StoreException e) {
        if (e.kind() != Kind.PRECONDITION_FAILED) {
          throw e;
        }
        return Optional.empty();
      }
    }

    private Optional<String> writeId(String key) throws IOException {
      try {
        return bare.head(key).writeId();
      } catch (StoreException e) {
        return Optional.empty();
      }
    }

    private void check() throws IOException {
      Map<String, String> there = new TreeMap<>();
      for (ObjectMeta object : bare.list(ListRequest.flat("key-")).objects()) {
        there.put(object.key(), object.etag());
      }
      Map<String, String> expected = new TreeMap<>();
      model.forEach((key, stored) -> expected.put(key, stored.etag()));
      assertThat(there).isEqualTo(expected);
    }
  }
}
