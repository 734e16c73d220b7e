/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndpointHealthTest {
  private final EndpointHealth presence = new EndpointHealth("http://lake:9000", false);

  private static long nanos(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void anEndpointIsKnownOnceItHasAnswered() {
    assertThat(presence.hasAnswered()).isFalse();
    presence.answered();
    assertThat(presence.hasAnswered()).isTrue();
    assertThat(presence.hasServedSince(0)).isFalse();
  }

  @Test
  void whatWasServedBeforeATimeWasNotServedSince() {
    presence.served(nanos(5), nanos(5));
    assertThat(presence.hasServedSince(nanos(5))).isTrue();
    assertThat(presence.hasServedSince(nanos(5) + 1)).isFalse();
  }

  @Test
  void anOutageIsToldOnceAMinuteForAllRequestsAndItsEndOnce() {
    presence.served(nanos(1), nanos(1));
    List<String> lines = new ArrayList<>();
    for (long second = 3; second <= 130; second++) {
      presence.waits(nanos(second), nanos(2), "refused.").ifPresent(lines::add);
      presence.waits(nanos(second), nanos(3), "refused.").ifPresent(lines::add);
      presence.goesOn();
      presence.goesOn();
    }
    presence.served(nanos(131), nanos(131)).ifPresent(lines::add);
    presence.served(nanos(132), nanos(132)).ifPresent(lines::add);

    assertThat(lines)
        .containsExactly(
            "http://lake:9000 has served no request for 5 s; requests that wait for it: 1. The last"
                + " failure: refused.",
            "http://lake:9000 has served no request for 65 s; requests that wait for it: 1. The"
                + " last failure: refused.",
            "http://lake:9000 has served no request for 125 s; requests that wait for it: 1. The"
                + " last failure: refused.",
            "http://lake:9000 serves requests again, after an outage of 129 s");
  }

  @Test
  void anOutageBeginsWithTheLastRequestThatWasServed() {
    presence.served(nanos(20), nanos(20));
    assertThat(presence.waits(nanos(26), nanos(2), "InternalError (500)."))
        .contains(
            "http://lake:9000 has served no request for 6 s; requests that wait for it: 1. The last"
                + " failure: InternalError (500).");
  }

  @Test
  void onlyARequestThatWasServedProvesAnEndpoint() {
    presence.answered();
    assertThat(presence.hasEverServed()).isFalse();
    presence.served(nanos(1), nanos(1));
    assertThat(presence.hasEverServed()).isTrue();
    assertThat(new EndpointHealth("http://lake:9000", true).hasEverServed()).isTrue();
  }

  @Test
  void ofAllWhoFailOneASecondFindsOutIfTheEndpointServesAnything() {
    assertThat(presence.beginsCheck(nanos(1))).isTrue();
    assertThat(presence.beginsCheck(nanos(2) - 1)).isFalse();
    assertThat(presence.beginsCheck(nanos(2))).isTrue();
    assertThat(presence.hasRefusedTheLast()).isFalse();
    presence.refused(nanos(2));
    assertThat(presence.hasRefusedTheLast()).isTrue();
    presence.served(nanos(3), nanos(4));
    assertThat(presence.hasRefusedTheLast()).isFalse();
  }

  @Test
  void aCheckThatIsRefusedAfterAnotherRequestWasServedSaysNothing() {
    assertThat(presence.beginsCheck(nanos(1))).isTrue();
    presence.served(nanos(2), nanos(2));
    presence.refused(nanos(1));
    assertThat(presence.hasRefusedTheLast()).isFalse();
  }

  @Test
  void aFailureAmongAnswersIsNoOutage() {
    for (long second = 0; second < 100; second++) {
      presence.served(nanos(second), nanos(second));
      assertThat(presence.waits(nanos(second), nanos(0), "lost.")).isEmpty();
      presence.goesOn();
    }
  }
}
