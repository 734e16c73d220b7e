/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Scans objects one after another: what a scanner remembers of those before changes nothing. */
class RepeatedObjectsTest {
  private static final FieldTree TREE = new FieldTree(List.of("a", "b", "in/x"));

  private final FieldScanner scanner = new FieldScanner(TREE);
  private final int a = 0;
  private final int b = 1;
  private final int x = 2;

  private void assertWhole(String json) {
    byte[] bytes = json.getBytes(UTF_8);
    assertThat(scanner.scan(bytes, 0, bytes.length)).as(json).isEqualTo(bytes.length);
  }

  /** A scanner remembers the order of members; one that is new finds the same. */
  @Test
  void whatWasSeenBeforeChangesNothing() {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    FieldScanner old = new FieldScanner(TREE);
    String json = "{}";
    for (int round = 0; round < 60_000; round++) {
      json = random.nextInt(3) == 0 ? object(random, 3) : changed(random, json);
      byte[] bytes = json.getBytes(UTF_8);
      if (random.nextInt(3) == 0) {
        bytes[random.nextInt(bytes.length)] = (byte) "{}[]\",:\\ ax1".charAt(random.nextInt(12));
      }
      int end = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
      FieldScanner fresh = new FieldScanner(TREE);
      String replay =
          "%s; replay with -Dtest=RepeatedObjectsTest -Dpenstock.test.seed=%d"
              .formatted(new String(bytes, 0, end, UTF_8), seed);
      int reached = fresh.scan(bytes, 0, end);
      assertThat(old.scan(bytes, 0, end)).as(replay).isEqualTo(reached);
      assertThat(old.position()).as(replay).isEqualTo(fresh.position());
      for (int field : new int[] {a, b, x}) {
        assertThat(old.has(field)).as(replay).isEqualTo(fresh.has(field));
        assertThat(old.text(field)).as(replay).isEqualTo(fresh.text(field));
        if (fresh.has(field)) {
          assertThat(old.start(field)).as(replay).isEqualTo(fresh.start(field));
        }
      }
    }
  }

  @Test
  void aFieldThatTheLastObjectHadTwiceIsFoundWhereItIsOnce() {
    assertWhole("{\"b\":null,\"b\":7,\"z\":1}");
    assertWhole("{\"b\":5,\"b\":7,\"z\":1}");
    assertThat(scanner.text(b)).isEqualTo("7");
    assertWhole("{\"b\":5,\"x\":0}");
    assertThat(scanner.text(b)).isEqualTo("5");
  }

  /** A log may have names of megabytes, and others in each object. */
  @Test
  void longNamesAreNotRemembered() {
    KnownMembers known = new KnownMembers();
    byte[] text = ("\"" + "n".repeat(63) + "\":").getBytes(UTF_8);
    byte[] longer = ("\"" + "n".repeat(64) + "\":").getBytes(UTF_8);
    assertThat(known.add(known.beginning(), longer, 0, longer.length, null)).isNull();
    assertThat(known.add(known.beginning(), text, 0, text.length, null).length())
        .isEqualTo(text.length);
  }

  /** An object that repeats much of another: with a member more, less, or another value. */
  private static String changed(SplittableRandom random, String json) {
    int at = random.nextInt(json.length());
    return switch (random.nextInt(5)) {
      case 0 -> json;
      case 1 -> json.replaceFirst("1", "1" + random.nextInt(100));
      case 2 ->
          json.substring(0, at) + json.substring(at).replaceFirst("\"[^\"]*\":[^,{}\\[]*,", "");
      case 3 -> json.substring(0, json.length() - 1) + (json.length() > 2 ? "," : "") + "\"b\":7}";
      default ->
          json.replaceFirst("\\{", "{\"n" + random.nextInt(9) + "\":" + object(random, 1) + ",");
    };
  }

  private static String object(SplittableRandom random, int depth) {
    List<String> names = List.of("a", "b", "in", "x", "aa", "a\\\"", "", "name", "in/x");
    StringBuilder json = new StringBuilder("{");
    for (int left = random.nextInt(6); left > 0; left--) {
      // Now and then a name that no object had before: not all of them can be remembered.
      String name =
          random.nextInt(8) == 0
              ? "n" + random.nextInt(200)
              : names.get(random.nextInt(names.size()));
      String space = random.nextInt(6) == 0 ? " " : "";
      json.append(space).append('"').append(name).append('"').append(space).append(':');
      json.append(
          switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> "1";
            case 1 -> "null";
            case 2 -> "\"t\"";
            case 3 -> "\"\\\\\"";
            case 4 -> "[1,{\"a\":2}]";
            default -> object(random, depth - 1);
          });
      json.append(left > 1 ? "," : "");
    }
    return json.append('}').toString();
  }
}
