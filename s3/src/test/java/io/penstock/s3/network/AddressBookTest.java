/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.s3.network.AddressBook.Outcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AddressBookTest {
  private static final long SECOND = 1_000_000_000L;
  private static final InetAddress ONE = address(10, 0, 0, 1);
  private static final InetAddress TWO = address(10, 0, 0, 2);
  private static final InetAddress SIX = address(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5);

  private final AddressBook book = new AddressBook();

  static InetAddress address(int... bytes) {
    byte[] raw = new byte[bytes.length];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = (byte) bytes[i];
    }
    try {
      return InetAddress.getByAddress("s3.test", raw);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private InetAddress choose(long nowNanos) {
    return book.choose(Set.of(), Optional.empty(), nowNanos).orElseThrow();
  }

  private void use(InetAddress expected, Outcome outcome, long nowNanos) {
    assertThat(choose(nowNanos)).isEqualTo(expected);
    book.ended(expected, outcome, nowNanos);
  }

  @Test
  void requestsAtOnceSpreadAndRequestsInTurnDoNot() {
    book.learn(List.of(ONE, TWO));
    assertThat(List.of(choose(0), choose(0), choose(0), choose(0)))
        .containsExactlyInAnyOrder(ONE, ONE, TWO, TWO);
    for (InetAddress each : List.of(ONE, ONE, TWO, TWO)) {
      book.ended(each, Outcome.WELL, 0);
    }
    use(TWO, Outcome.WELL, 0); // the last that answered
    use(TWO, Outcome.WELL, 0);
  }

  @Test
  void aBrokenAddressIsAvoidedThenTriedByOneRequest() {
    book.learn(List.of(ONE, TWO));
    use(ONE, Outcome.BROKEN, 0);
    assertThat(choose(SECOND)).isEqualTo(TWO);
    assertThat(choose(SECOND)).isEqualTo(TWO);
    assertThat(choose(3 * SECOND)).isEqualTo(ONE);
    assertThat(choose(3 * SECOND)).as("the try is still out").isEqualTo(TWO);
    book.ended(ONE, Outcome.BROKEN, 3 * SECOND);
    assertThat(choose(6 * SECOND)).as("avoided for twice as long").isEqualTo(TWO);
    assertThat(choose(8 * SECOND)).isEqualTo(ONE);
    book.ended(ONE, Outcome.WELL, 8 * SECOND);
    assertThat(List.of(choose(9 * SECOND), choose(9 * SECOND))).containsOnly(ONE);
  }

  @Test
  void oneCutIsTheWeatherAndTwoAreTheAddress() {
    book.learn(List.of(ONE));
    use(ONE, Outcome.SLOW, 0);
    book.learn(List.of(ONE, TWO));
    use(ONE, Outcome.SLOW, 0);
    use(TWO, Outcome.WELL, 0);
    choose(0);
    assertThat(choose(0)).isEqualTo(TWO);
  }

  @Test
  void whatWeGaveUpOurselvesSaysNothing() {
    book.learn(List.of(ONE, TWO));
    use(ONE, Outcome.UNKNOWN, 0);
    use(ONE, Outcome.UNKNOWN, 0);
    use(ONE, Outcome.UNKNOWN, 0);
  }

  @Test
  void whenAllAreBrokenTheyAreStillUsed() {
    book.learn(List.of(ONE, TWO));
    use(ONE, Outcome.BROKEN, 0);
    use(TWO, Outcome.BROKEN, 0);
    assertThat(List.of(choose(0), choose(0))).containsExactlyInAnyOrder(ONE, TWO);
  }

  @Test
  void aHedgeGoesElsewhereWhereThereIsAnElsewhere() {
    Optional<String> avoided = Optional.of("10.0.0.1");
    book.learn(List.of(ONE));
    assertThat(book.choose(Set.of(), avoided, 0)).contains(ONE);
    book.learn(List.of(ONE, TWO));
    assertThat(book.choose(Set.of(), avoided, 0)).contains(TWO);
    assertThat(book.choose(Set.of(), avoided, 0)).contains(TWO);
    assertThat(book.choose(Set.of(ONE, TWO), avoided, 0)).isEmpty();
  }

  @Test
  void theOtherFamilyIsOnlyForNeed() {
    book.learn(List.of(ONE, SIX));
    assertThat(List.of(choose(0), choose(0))).containsOnly(ONE);
    assertThat(book.choose(Set.of(ONE), Optional.empty(), 0)).contains(SIX);
  }

  @Test
  void answersAddUpAndAnAddressIsForgottenTenLookUpsAfterItWasNamed() {
    book.learn(List.of(ONE));
    for (int i = 0; i < 9; i++) {
      book.learn(List.of(TWO));
    }
    assertThat(book.inFlight()).containsOnlyKeys(ONE, TWO);
    book.learn(List.of(TWO));
    assertThat(book.inFlight()).containsOnlyKeys(TWO);
    book.learn(List.of());
    assertThat(book.inFlight()).containsOnlyKeys(TWO);
  }
}
