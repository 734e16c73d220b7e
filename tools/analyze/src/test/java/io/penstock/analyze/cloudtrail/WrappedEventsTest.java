/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.Head;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events are found in what wraps them, and come out as they went in. */
class WrappedEventsTest {
  private static final String EVENT =
      "{\"eventVersion\":\"1.09\",\"eventSource\":\"s3.amazonaws.com\",\"eventName\":\"PutObject\","
          + "\"eventID\":\"e\",\"requestParameters\":{\"key\":\"a \\\"b\\\" {ü}\"}}";

  private static String string(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  static String[] wrappings() {
    return new String[] {
      "{\"messageType\":\"DATA_MESSAGE\",\"logEvents\":[{\"id\":\"1\",\"message\":%s},{\"message\":%s}]}"
          .formatted(string(EVENT), string(EVENT)),
      // A string of a string, as where a subscription is logged by another service.
      "{\"data\":%s}"
          .formatted(
              string("{\"message\":%s,\"more\":%s}".formatted(string(EVENT), string(EVENT)))),
      "{\"version\":\"0\",\"detail\":%s}\n{\"version\":\"0\",\"detail\":%s}\n"
          .formatted(EVENT, EVENT),
      "2025-11-03T08:15:00.000Z %s\n2025-11-03T08:15:00.001Z %s\n".formatted(EVENT, EVENT),
      "@timestamp,@message\n1,\"%1$s\"\n2,\"%1$s\"\n".formatted(EVENT.replace("\"", "\"\"")),
    };
  }

  @ParameterizedTest
  @MethodSource("wrappings")
  void eventsComeOutAsTheyWentIn(String text) throws IOException {
    assertThat(new CloudTrailWrapped().matches(Head.of(text.getBytes(UTF_8)))).isTrue();
    try (WrappedEvents events = new WrappedEvents(new ByteArrayInputStream(text.getBytes(UTF_8)))) {
      assertThat(new String(events.readAllBytes(), UTF_8)).isEqualTo("\n" + EVENT + "\n" + EVENT);
    }
  }

  @Test
  void whatIsDeliveredAsItIsNeedsNoUnwrapping() {
    for (String text :
        new String[] {"{\"Records\":[" + EVENT + "]}", "[" + EVENT + "]", EVENT + "\n" + EVENT}) {
      assertThat(new CloudTrailWrapped().matches(Head.of(text.getBytes(UTF_8)))).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("wrappings")
  void aTextThatIsCutAnywhereEnds(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    for (int length = 0; length < bytes.length; length++) {
      try (WrappedEvents events = new WrappedEvents(new ByteArrayInputStream(bytes, 0, length))) {
        assertThat(events.readAllBytes().length).isLessThanOrEqualTo(2 * EVENT.length() + 10);
      }
    }
  }
}
