/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class PackingTest {
  private static final byte[] TEXT = text(600_000);

  @ParameterizedTest
  @EnumSource(Packing.class)
  void whatIsPackedComesOutAgain(Packing packing) throws IOException {
    try (Unpacked unpacked = open(Packed.of(packing, TEXT))) {
      assertSame(unpacked.readAllBytes(), TEXT);
      assertThat(unpacked.damage()).isEmpty();
      assertThat(unpacked.bytes()).isEqualTo(TEXT.length);
      assertThat(unpacked.packings())
          .isEqualTo(packing == Packing.PLAIN ? java.util.List.of() : java.util.List.of(packing));
    }
  }

  @ParameterizedTest
  @EnumSource(Packing.class)
  void packedFilesMayBeJoined(Packing packing) throws IOException {
    byte[] joined =
        joined(
            Packed.of(packing, bytes("one\n")),
            Packed.of(packing, bytes("")),
            Packed.of(packing, bytes("two\n")));
    try (Unpacked unpacked = open(joined)) {
      assertSame(unpacked.readAllBytes(), bytes("one\ntwo\n"));
      assertThat(unpacked.damage()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(value = Packing.class, mode = Mode.EXCLUDE, names = "PLAIN")
  void ofACutFileTheBeginningIsRead(Packing packing) throws IOException {
    byte[] packed = Packed.of(packing, TEXT);
    for (int cut = packed.length - 1; cut > packed.length / 2; cut -= 2999) {
      try (Unpacked unpacked = open(Arrays.copyOf(packed, cut))) {
        byte[] got = unpacked.readAllBytes();
        assertSame(got, Arrays.copyOf(TEXT, got.length));
        assertThat(got.length).isGreaterThan(60_000);
        assertThat(unpacked.damage())
            .contains("is cut off: its " + packing.title() + " data have no end");
        assertThat(unpacked.read()).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = Packing.class, mode = Mode.EXCLUDE, names = "PLAIN")
  void anythingBehindTheEndIsDamage(Packing packing) throws IOException {
    try (Unpacked unpacked =
        open(joined(Packed.of(packing, TEXT), bytes("this is not packed at all")))) {
      assertSame(unpacked.readAllBytes(), TEXT);
      assertThat(unpacked.damage().orElseThrow()).startsWith("is ");
    }
  }

  @Test
  void aCutInALaterFrameIsSeen() throws IOException {
    byte[] frame = Packed.of(Packing.ZSTD, bytes("{\"Event\":\"SparkListenerLogStart\"}\n"));
    byte[] two = joined(frame, frame);
    for (int cut = frame.length + 1; cut < two.length; cut++) {
      try (Unpacked unpacked = open(Arrays.copyOf(two, cut))) {
        unpacked.readAllBytes();
        assertThat(unpacked.damage())
            .as("cut at %d of %d", cut, two.length)
            .contains("is cut off: its zstd data have no end");
      }
    }
    try (Unpacked unpacked = open(Arrays.copyOf(two, frame.length))) {
      unpacked.readAllBytes();
      assertThat(unpacked.damage()).isEmpty();
    }
  }

  @Test
  void aDamagedSecondMemberIsNotTakenForTheEnd() throws IOException {
    byte[] second = Packed.of(Packing.GZIP, TEXT);
    second[2] = 7;
    try (Unpacked unpacked = open(joined(Packed.of(Packing.GZIP, TEXT), second))) {
      assertSame(unpacked.readAllBytes(), TEXT);
      assertThat(unpacked.damage().orElseThrow()).contains("no gzip member follows");
    }
  }

  @Test
  void zerosBehindGzipAreNoDamage() throws IOException {
    try (Unpacked unpacked = open(joined(Packed.of(Packing.GZIP, TEXT), new byte[512]))) {
      assertSame(unpacked.readAllBytes(), TEXT);
      assertThat(unpacked.damage()).isEmpty();
    }
  }

  @Test
  void aWrongChecksumIsDamage() throws IOException {
    byte[] packed = Packed.of(Packing.GZIP, TEXT);
    packed[packed.length - 7] ^= 1;
    try (Unpacked unpacked = open(packed)) {
      assertSame(unpacked.readAllBytes(), TEXT);
      assertThat(unpacked.damage().orElseThrow()).contains("the checksum is wrong");
    }
  }

  @Test
  void framesWithoutDataMayComeFirst() throws IOException {
    byte[] skippable = {0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3};
    try (Unpacked unpacked = open(joined(skippable, Packed.of(Packing.ZSTD, TEXT)))) {
      assertThat(unpacked.packings()).containsExactly(Packing.ZSTD);
      assertSame(unpacked.readAllBytes(), TEXT);
    }
  }

  @Test
  void whatIsPackedTwiceIsUnpackedTwiceAndNoMore() throws IOException {
    byte[] once = Packed.of(Packing.ZSTD, TEXT);
    byte[] twice = Packed.of(Packing.GZIP, once);
    try (Unpacked unpacked = open(twice)) {
      assertThat(unpacked.packings()).containsExactly(Packing.GZIP, Packing.ZSTD);
      assertSame(unpacked.readAllBytes(), TEXT);
    }
    try (Unpacked unpacked = open(Packed.of(Packing.LZF, twice))) {
      assertSame(unpacked.readAllBytes(), once);
    }
  }

  @Test
  void aCutOfTheOuterPackingIsWhatIsTold() throws IOException {
    byte[] twice = Packed.of(Packing.GZIP, Packed.of(Packing.ZSTD, TEXT));
    try (Unpacked unpacked = open(Arrays.copyOf(twice, twice.length - 9))) {
      unpacked.readAllBytes();
      assertThat(unpacked.damage()).contains("is cut off: its gzip data have no end");
    }
  }

  @Test
  void aTextThatBeginsLikeLzfIsAText() {
    assertThat(Packing.of(bytes("ZV is a word"))).isEqualTo(Packing.PLAIN);
    assertThat(Packing.of(bytes("ZV"))).isEqualTo(Packing.PLAIN);
    assertThat(Packing.of(new byte[0])).isEqualTo(Packing.PLAIN);
  }

  @Test
  void aBombIsStopped() throws IOException {
    byte[] bomb = Packed.of(Packing.ZSTD, new byte[32 << 20]);
    try (Unpacked unpacked = open(bomb, new UnpackLimit(1 << 20, 1000, Long.MAX_VALUE))) {
      assertThat(drain(unpacked)).isLessThan(3 << 20);
      assertThat(unpacked.damage())
          .contains("unpacks to more than 1,000 times its size; looks like a bomb");
    }
  }

  @Test
  void aBombWithinAPackingIsStopped() throws IOException {
    byte[] inner = Packed.of(Packing.GZIP, Packed.of(Packing.GZIP, new byte[32 << 20]));
    try (Unpacked unpacked = open(inner, new UnpackLimit(1 << 20, 1000, Long.MAX_VALUE))) {
      assertThat(drain(unpacked)).isLessThan(3 << 20);
      assertThat(unpacked.damage().orElseThrow()).endsWith("looks like a bomb");
    }
  }

  @Test
  void aFileOfAnySizeHasACeiling() throws IOException {
    try (Unpacked unpacked =
        open(Packed.of(Packing.LZ4_BLOCK, TEXT), new UnpackLimit(0, 1000, 100_000))) {
      assertThat(drain(unpacked)).isLessThan(140_000);
      assertThat(unpacked.damage())
          .contains("unpacks to more than 100,000 bytes; looks like a bomb");
    }
  }

  @Test
  void aLogThatRepeatsItselfIsNoBomb() throws IOException {
    byte[] log =
        "GET /lake/day=01/part-00000 200 - 12\n"
            .repeat(100_000)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] packed = Packed.of(Packing.GZIP, log);
    assertThat(log.length / packed.length).isBetween(200, 999);
    try (Unpacked unpacked = open(packed, new UnpackLimit(1 << 20, 1000, Long.MAX_VALUE))) {
      assertThat(drain(unpacked)).isEqualTo(log.length);
      assertThat(unpacked.damage()).isEmpty();
    }
  }

  @Test
  void aFileThatCannotBeReadIsAnErrorAndNoDamage() throws IOException {
    byte[] packed = Packed.of(Packing.GZIP, TEXT);
    InputStream failing =
        new ByteArrayInputStream(packed, 0, packed.length / 2) {
          @Override
          public synchronized int read(byte[] target, int start, int count) {
            int got = super.read(target, start, Math.min(count, 1000));
            if (got < 0) {
              throw new java.io.UncheckedIOException(new IOException("the disk is gone"));
            }
            return got;
          }
        };
    try (Unpacked unpacked = Unpacked.open(new Checked(failing))) {
      assertThatIOException().isThrownBy(unpacked::readAllBytes).withMessage("the disk is gone");
    }
  }

  @ParameterizedTest
  @EnumSource(Packing.class)
  void closingClosesTheFile(Packing packing) throws IOException {
    AtomicInteger closed = new AtomicInteger();
    InputStream file =
        new ByteArrayInputStream(Packed.of(packing, TEXT)) {
          @Override
          public void close() {
            closed.incrementAndGet();
          }
        };
    Unpacked.open(file).close();
    assertThat(closed).hasValue(1);
  }

  /** Whatever the bytes are, it ends, and what came out before is what went in. */
  @ParameterizedTest
  @EnumSource(value = Packing.class, mode = Mode.EXCLUDE, names = "PLAIN")
  void damagedBytesAreNotTrippedOver(Packing packing) throws IOException {
    byte[] packed = Packed.of(packing, TEXT);
    for (long seed = 1; seed <= 60; seed++) {
      SplittableRandom chance = new SplittableRandom(seed);
      byte[] broken = packed.clone();
      for (int i = 0; i < 1 + chance.nextInt(4); i++) {
        broken[chance.nextInt(broken.length)] = (byte) chance.nextInt();
      }
      int cut = chance.nextInt(2) == 0 ? broken.length : chance.nextInt(broken.length);
      String replay =
          "seed %d: mvnw -pl tools/analyze surefire:test -Dtest=PackingTest#damagedBytesAreNotTrippedOver"
              .formatted(seed);
      try (Unpacked unpacked =
          open(Arrays.copyOf(broken, cut), new UnpackLimit(1 << 20, 1000, 1 << 26))) {
        drain(unpacked);
        assertThat(unpacked.read()).isEqualTo(-1);
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(packing + ", " + replay, e);
      }
    }
  }

  /** Gives the checked error that a disk gives. */
  private static final class Checked extends java.io.FilterInputStream {
    Checked(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int start, int count) throws IOException {
      try {
        return super.read(target, start, count);
      } catch (java.io.UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  private static Unpacked open(byte[] packed) throws IOException {
    return Unpacked.open(new ByteArrayInputStream(packed));
  }

  private static Unpacked open(byte[] packed, UnpackLimit limit) throws IOException {
    return Unpacked.open(new ByteArrayInputStream(packed), limit);
  }

  private static int drain(InputStream in) throws IOException {
    return (int) in.transferTo(java.io.OutputStream.nullOutputStream());
  }

  /** Without printing them. */
  private static void assertSame(byte[] actual, byte[] expected) {
    assertThat(Arrays.mismatch(actual, expected)).as("place of the first difference").isEqualTo(-1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.write(part);
    }
    return all.toByteArray();
  }

  private static byte[] text(int bytes) {
    SplittableRandom chance = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append(chance.nextInt(1 << 16))
          .append(" PUT /lake/part-")
          .append(text.length())
          .append('\n');
    }
    return bytes(text.substring(0, bytes));
  }
}
