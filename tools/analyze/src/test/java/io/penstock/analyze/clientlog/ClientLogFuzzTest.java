/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in a log, every attempt that is met is a row, skipped or rejected. */
class ClientLogFuzzTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void brokenLogsAreReadToTheirEnd(long seed) throws IOException {
    byte[] one = Logs.resource("sdk1-spark.log");
    byte[] two = Logs.resource("sdk2-spark.log");
    SplittableRandom chance = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      byte[] log = broken(chance.nextBoolean() ? one : two, chance);
      try {
        Logs logs = Logs.of("", log);
        assertThat(logs.statistics.requests()).isEqualTo(logs.rows.size());
        assertThat(logs.statistics.records())
            .isEqualTo(
                logs.statistics.requests()
                    + logs.statistics.rejectedRecords()
                    + logs.statistics.skipped().values().stream().mapToLong(c -> c.count()).sum());
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed %d, round %d; replay with -Dtest=ClientLogFuzzTest".formatted(seed, round), e);
      }
    }
  }

  private static byte[] broken(byte[] log, SplittableRandom chance) {
    byte[] copy = Arrays.copyOf(log, log.length);
    switch (chance.nextInt(5)) {
      case 0 -> chance.nextBytes(copy);
      case 1 -> {
        return Arrays.copyOf(log, chance.nextInt(log.length));
      }
      case 2 -> {
        return shuffled(log, chance);
      }
      default -> {
        for (int i = chance.nextInt(200); i > 0; i--) {
          copy[chance.nextInt(copy.length)] =
              (byte) " \n{}:?&%/>\"0\u00ff".charAt(chance.nextInt(13));
        }
      }
    }
    return copy;
  }

  /** Pieces from anywhere, as of a file that several processes wrote. */
  private static byte[] shuffled(byte[] log, SplittableRandom chance) {
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    for (int i = 0; i < 40; i++) {
      int start = chance.nextInt(log.length);
      pieces.write(log, start, Math.min(log.length - start, chance.nextInt(800)));
    }
    return pieces.toByteArray();
  }
}
