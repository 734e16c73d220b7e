/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

import io.penstock.core.caller.Origin;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the layers' overhead when none has to act: the store answers at once, and never with an
 * error. The layers are those of production, and so is the code that assembles them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class EngineCost {
  /** No layer at all: the cost that is subtracted from the others. */
  private static final String BARE = "bare";

  /** With the sums by query, stage and path that the plugin collects for Spark's UI. */
  private static final String COUNTED = "counted";

  private static final Origin TASK =
      new Origin("app-1", OptionalLong.of(7), Optional.of(new Origin.Task(3, 0, 12, 417)));

  private static final int KEYS = 1 << 12;
  private static final Range RANGE = new ByteRange(0, 1 << 10);
  private static final Body BODY = Body.ofBytes(new byte[1 << 10]);

  /**
   * Settings without their prefix, with spaces between, such as {@code rate.policy=none}; {@code
   * default} for none, {@code counted} for none with sums by stage, {@code bare} for no layer at
   * all.
   */
  @Param({BARE, "default", COUNTED})
  private String settings;

  private final String[] keys = new String[KEYS];
  private final Upload[] uploads = new Upload[KEYS];
  private StoreStack stack;
  private ObjectStore store;

  /** Each thread asks for other keys than its neighbours do. */
  @State(Scope.Thread)
  public static class Caller {
    private int next = System.identityHashCode(this);

    @Setup
    public void begin() {
      io.penstock.core.caller.Caller.beginTask(TASK);
    }

    int next() {
      return next++ & (KEYS - 1);
    }
  }

  @Setup
  public void open() throws IOException {
    for (int i = 0; i < KEYS; i++) {
      // As Spark names them, in the directories of a partitioned table.
      keys[i] = "lake/orders/day=%02d/part-%05d-6a0c5f.c000.snappy.parquet".formatted(i % 28, i);
      uploads[i] = new Upload(keys[i], "upload-" + i);
    }
    if (settings.equals(BARE)) {
      store = new InstantStore("lake");
      return;
    }
    if (settings.equals(COUNTED)) {
      Engine.process().metrics().accounts().open();
    }
    stack =
        StoreStack.open(
            Engine.process(), "lake", Settings.of(values()), EngineCost.class.getClassLoader());
    store = stack.store();
  }

  private Map<String, String> values() {
    Map<String, String> values = new TreeMap<>();
    if (!settings.equals("default") && !settings.equals(COUNTED)) {
      for (String setting : settings.split(" ", -1)) {
        int mark = setting.indexOf('=');
        values.put("penstock." + setting.substring(0, mark), setting.substring(mark + 1));
      }
    }
    return values;
  }

  @TearDown
  public void close() {
    if (stack != null) {
      stack.close();
    }
  }

  @Benchmark
  public ObjectSlice get(Caller caller) throws IOException {
    return store.get(keys[caller.next()], RANGE, Optional.empty());
  }

  @Benchmark
  public String put(Caller caller) throws IOException {
    return store.put(keys[caller.next()], BODY, Condition.NONE);
  }

  @Benchmark
  public Part uploadPart(Caller caller) throws IOException {
    return store.uploadPart(uploads[caller.next()], 1, BODY);
  }
}
