/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.report;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.penstock.checkpoints.repair.RepairPlan;
import io.penstock.checkpoints.state.RocksSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes and names are, a checkpoint is judged and not tripped over. */
class FuzzTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void brokenFilesAreJudged(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    for (int round = 0; round < 100; round++) {
      Written written =
          Written.batches(6, 6)
              .withDeltas(7)
              .withSide("state/0/0/7.delta")
              .withZip("state/1/0/", "7.zip", "1-a.sst")
              .text("sources/0/0", "v1\n{\"path\":\"a\"}")
              .text("sources/0/1", "v1\n{\"path\":\"b\"}")
              .text("_penstock_writers/000001", "{\"epoch\":1}");
      List<String> paths = new ArrayList<>(written.files.keySet());
      for (int i = 0; i < 4; i++) {
        String path = paths.get(chance.nextInt(paths.size()));
        written.bytes(path, broken(written.files.get(path), chance));
      }
      written.bytes(name(chance), new byte[chance.nextInt(20)]);
      int at = round;
      assertThatCode(
              () -> {
                CheckpointReport report = written.check();
                ReportJson.of(report);
                written.plan(report.facts(), new RepairPlan.Consent(java.time.Duration.ZERO, true));
              })
          .as("seed %d, round %d: %s", seed, at, written.files.keySet())
          .doesNotThrowAnyException();
    }
  }

  private static byte[] broken(byte[] bytes, SplittableRandom chance) {
    byte[] copy = Arrays.copyOf(bytes, bytes.length);
    switch (chance.nextInt(4)) {
      case 0 -> {
        return Arrays.copyOf(bytes, chance.nextInt(bytes.length + 1));
      }
      case 1 -> chance.nextBytes(copy);
      case 2 -> Arrays.fill(copy, (byte) 0);
      default -> {
        for (int i = 0; i < 3 && copy.length > 0; i++) {
          copy[chance.nextInt(copy.length)] = (byte) chance.nextInt();
        }
      }
    }
    return copy;
  }

  private static String name(SplittableRandom chance) {
    String[] parts = {
      "state",
      "offsets",
      "commits",
      "sources",
      "0",
      "1",
      "-1",
      "007",
      "99999999999999999999",
      ".crc",
      ".tmp",
      "..crc",
      "_",
      "SSTs",
      "7.zip",
      ".delta",
      "7_.delta",
      "_metadata",
      "v2",
      "metadata",
      "",
      "é\u0007",
      "_penstock_writers",
      ".9.a.tmp.crc"
    };
    StringBuilder path = new StringBuilder(parts[chance.nextInt(parts.length)]);
    for (int i = chance.nextInt(6); i > 0; i--) {
      path.append('/').append(parts[chance.nextInt(parts.length)]);
    }
    return path.toString();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void zipsOfAnyBytesAreJudged(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    byte[] zip = Written.zip(Map.of("metadata", "v1\n{\"sstFiles\":[]}", "a", "b".repeat(50)));
    for (int round = 0; round < 3000; round++) {
      byte[] bytes = broken(zip, chance);
      assertThatCode(() -> RocksSnapshot.parse(bytes))
          .as("seed %d, round %d", seed, round)
          .doesNotThrowAnyException();
    }
  }
}
