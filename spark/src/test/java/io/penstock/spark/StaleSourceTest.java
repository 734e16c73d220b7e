/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.checkpoint.FencedStore;
import io.penstock.core.checkpoint.Writer;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run whose file source read its log while another run was writing to it. Spark's source takes
 * the newest entry from one listing and the files that it has seen from another one, so it can end
 * up one entry behind the offsets without a file to read. It then plans a batch that goes back, and
 * no later run can start from that plan.
 */
class StaleSourceTest {
  private static final Writer OTHER = new Writer(99, "app-other", "host-b", 22, "query-1", "run-b");
  private static final String CHECKPOINT = "checkpoints/stale/";
  private static final ByteRange WHOLE = new ByteRange(0, 1_000_000);

  @AfterEach
  void calm() {
    Lake.store().forget();
  }

  private static StreamingQuery start(Path input) throws TimeoutException {
    return Lake.spark()
        .readStream()
        .schema("id long")
        .option("maxFilesPerTrigger", 1)
        .json(input.toUri().toString())
        .writeStream()
        .format("noop")
        .option("checkpointLocation", "s3://lake/" + CHECKPOINT)
        .trigger(Trigger.AvailableNow())
        .start();
  }

  /** The failure as text; empty if the query consumed its input. */
  private static String failureOf(StreamingQuery query) {
    StringWriter text = new StringWriter();
    try {
      assertThat(query.awaitTermination(120_000)).isTrue();
    } catch (StreamingQueryException e) {
      e.printStackTrace(new PrintWriter(text));
    }
    return text.toString();
  }

  private static void addInput(Path input, int number) throws IOException {
    Files.writeString(input.resolve(number + ".json"), "{\"id\":%d}\n".formatted(number));
  }

  /** Removes what the batch added to the logs, and returns it. */
  private static Map<String, byte[]> takeOut(int batch) throws IOException {
    ObjectStore store = Lake.s3().store("lake");
    Map<String, byte[]> taken = new LinkedHashMap<>();
    for (String log : List.of("sources/0/", "offsets/", "commits/")) {
      String key = CHECKPOINT + log + batch;
      taken.put(key, store.get(key, WHOLE, Optional.empty()).bytes());
      store.delete(key);
    }
    return taken;
  }

  private static void putBack(Map<String, byte[]> files) {
    files.forEach(
        (key, content) -> {
          try {
            new FencedStore(Lake.s3().store("lake"), () -> OTHER, new SplittableRandom(7))
                .put(key, Body.ofBytes(content), Condition.IF_ABSENT);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void aRunThatIsBehindItsSourceIsRefusedAndTheNextOneGoesOn(@TempDir Path input) throws Exception {
    for (int file = 0; file < 3; file++) {
      addInput(input, file);
    }
    assertThat(failureOf(start(input))).isEmpty();
    Map<String, byte[]> others = takeOut(2);
    AtomicBoolean isDone = new AtomicBoolean();
    Lake.store()
        .beforeEach(
            (operation, key) -> {
              boolean isLatest = key.equals(CHECKPOINT + "sources/0/1");
              if (operation == Operation.GET && isLatest && isDone.compareAndSet(false, true)) {
                putBack(others);
              }
            });

    String failure = failureOf(start(input));

    assertThat(isDone).isTrue();
    assertThat(failure)
        .contains(CHECKPOINT + "offsets/3 is not written")
        .contains("from entry 2 of the log of source 0 to entry 1")
        .contains("offsets/2 is by application app-other on host-b");
    assertThat(Lake.keys(CHECKPOINT + "offsets/")).doesNotContain(CHECKPOINT + "offsets/3");
    addInput(input, 3);
    assertThat(failureOf(start(input))).isEmpty();
    assertThat(Lake.keys(CHECKPOINT + "commits/")).contains(CHECKPOINT + "commits/3");
  }
}
