/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.UrlText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Says which keys a fault rule is about. As text: the beginning of the key ({@code table/p=1/}), a
 * piece of it ({@code has:%01}), the length of its longest segment in bytes ({@code segment>255}),
 * or its own length ({@code length>900}). Beginning and piece are URL-encoded. Or {@code plain}:
 * any key of a request that does not require anything of the object there, as of a bucket whose
 * policy demands conditions.
 */
record KeyCondition(String text, boolean isOfPlain, Predicate<String> holds) {
  private static final String PLAIN = "plain";
  private static final String HAS = "has:";
  private static final String SEGMENT = "segment>";
  private static final String LENGTH = "length>";

  static KeyCondition parse(String text) {
    if (text.equals(PLAIN)) {
      return new KeyCondition(text, true, key -> true);
    }
    if (text.startsWith(HAS)) {
      String piece = UrlText.decode(text.substring(HAS.length()), false);
      return new KeyCondition(text, false, key -> key.contains(piece));
    }
    if (text.startsWith(SEGMENT)) {
      int most = number(text.substring(SEGMENT.length()));
      return new KeyCondition(
          text,
          false,
          key -> Arrays.stream(key.split("/", -1)).anyMatch(part -> lengthBytes(part) > most));
    }
    if (text.startsWith(LENGTH)) {
      int most = number(text.substring(LENGTH.length()));
      return new KeyCondition(text, false, key -> lengthBytes(key) > most);
    }
    String prefix = UrlText.decode(text, false);
    return new KeyCondition(text, false, key -> key.startsWith(prefix));
  }

  boolean matches(String key, boolean isConditional) {
    return holds.test(key) && !(isOfPlain && isConditional);
  }

  private static int lengthBytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static int number(String text) {
    if (!text.matches("[0-9]{1,4}")) {
      throw new IllegalArgumentException(
          "cannot read '%s' as a length; write a number of bytes, at most 9999".formatted(text));
    }
    return Integer.parseInt(text);
  }
}
