/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.listing.ListingPlan.Stretch;
import io.penstock.core.store.KeyOrder;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts the requests of listings of many keys, and those that must follow one another. */
class ListingPlanTest {
  private static final int AT_ONCE = 16;
  private static final String PREFIX = "warehouse/t/";

  /** Forms of keys, with the most rounds that a listing of them may need. */
  enum Form {
    THOUSAND_PARTITIONS(100_000, 30, i -> "p=" + i / 100 + "/part-" + padded(i % 100)),
    TEN_THOUSAND_PARTITIONS(100_000, 30, i -> "p=" + i / 10 + "/part-" + padded(i % 10)),
    DAYS_AND_HOURS(
        100_000,
        45,
        i -> "day=" + day(i / 240) + "/hour=" + i % 240 / 10 + "/part-" + padded(i % 10)),
    ONE_DIRECTORY(300_000, 50, i -> "part-" + padded(i) + "-c000.parquet"),
    HASHED(300_000, 50, i -> hashed(i) + "/data"),
    MANY_JOBS(200_000, 50, i -> "part-" + padded(i % 200) + "-" + hashed(i / 200)),
    WORDS(100_000, 30, i -> word(new SplittableRandom(i)) + i),
    /** Only characters that are no digits tell the keys apart. */
    NOTHING_TO_GUESS(100_000, 100, i -> "x" + (char) ('\u4e00' + i / 100) + i % 100),
    ONE_PAGE(1_000, 1, ListingPlanTest::padded),
    FIVE_PAGES(5_000, 5, ListingPlanTest::padded);

    private final int keys;
    private final int roundsMax;

    @SuppressWarnings("ImmutableEnumChecker") // pure functions
    private final IntFunction<String> key;

    Form(int keys, int roundsMax, IntFunction<String> key) {
      this.keys = keys;
      this.roundsMax = roundsMax;
      this.key = key;
    }

    NavigableSet<String> keys() {
      NavigableSet<String> all = new TreeSet<>(KeyOrder.INSTANCE);
      for (int i = 0; i < keys; i++) {
        all.add(PREFIX + key.apply(i));
      }
      return all;
    }
  }

  private static String padded(int number) {
    return "%05d".formatted(number);
  }

  private static String day(int number) {
    return LocalDate.of(2024, 1, 1).plusDays(number).toString();
  }

  private static String hashed(int number) {
    return Long.toHexString(new SplittableRandom(number).nextLong());
  }

  private static String word(SplittableRandom random) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      word.append((char) ('a' + Math.min(random.nextInt(26), random.nextInt(26))));
    }
    return word.toString();
  }

  @ParameterizedTest
  @EnumSource
  void aListingIsCompleteAndTakesFewRounds(Form form) {
    List<String> keys = List.copyOf(form.keys());
    Run run = new Run(form.keys(), AT_ONCE, Long.MAX_VALUE).toTheEnd();
    assertThat(run.listed.equals(keys)).as("the listing is complete and in order").isTrue();
    int pages = (keys.size() + 999) / 1000;
    assertThat(run.requests).isLessThanOrEqualTo((int) Math.ceil(1.1 * pages) + 1);
    assertThat(run.rounds).isLessThanOrEqualTo(form.roundsMax);
  }

  @Test
  void onePageAtOnceIsOnePageAfterTheOther() {
    Run run = new Run(Form.WORDS.keys(), 1, Long.MAX_VALUE).toTheEnd();
    assertThat(run.requests).isEqualTo(100);
    assertThat(run.rounds).isEqualTo(100);
  }

  @Test
  void keysThatNobodyTakesHoldTheListingUp() {
    Run run = new Run(Form.THOUSAND_PARTITIONS.keys(), AT_ONCE, 3_000).toTheEnd();
    assertThat(run.listed.equals(List.copyOf(Form.THOUSAND_PARTITIONS.keys()))).isTrue();
    // Those of the requests under way come on top.
    assertThat(run.waitingMax).isBetween(3_000L, 3_000L + AT_ONCE * 1_000);
  }

  @Test
  void aStoreWithoutOrderIsNotListedByGuesses() {
    NavigableSet<String> keys = new TreeSet<>(Comparator.reverseOrder());
    keys.addAll(Form.WORDS.keys());
    Run run = new Run(keys, AT_ONCE, Long.MAX_VALUE).toTheEnd();
    assertThat(run.listed.equals(List.copyOf(keys))).isTrue();
    assertThat(run.requests).isEqualTo(100);
  }

  @Test
  void anOrderThatIsLostLaterIsNoticed() {
    Run run = new Run(Form.WORDS.keys(), AT_ONCE, Long.MAX_VALUE);
    List<Stretch> asked = List.of();
    while (asked.size() < 2) {
      asked.forEach(run::answer);
      asked = run.ask();
    }
    ListPage page = run.page(asked.get(0).request());
    List<ObjectMeta> reversed = new ArrayList<>(page.objects());
    Collections.reverse(reversed);
    assertThat(run.plan.answer(asked.get(0), new ListPage(reversed, List.of(), Optional.of("x"))))
        .isFalse();
  }

  /** A listing by a plan: in each round all requests that it wants at once are answered. */
  static final class Run {
    private final NavigableSet<String> keys;
    private final ListingPlan plan;
    final List<String> listed = new ArrayList<>();
    private long received;
    private long waitingMax;
    int requests;
    int rounds;

    Run(NavigableSet<String> keys, int atOnce, long bufferedMax) {
      this.keys = keys;
      this.plan = new ListingPlan(PREFIX, atOnce, bufferedMax);
    }

    Run toTheEnd() {
      while (!plan.isDone()) {
        List<Stretch> asked = ask();
        asked.forEach(stretch -> assertThat(answer(stretch)).isTrue());
        rounds += asked.isEmpty() ? 0 : 1;
        waitingMax = Math.max(waitingMax, received - listed.size());
        plan.take().forEach(object -> listed.add(object.key()));
      }
      return this;
    }

    private List<Stretch> ask() {
      List<Stretch> asked = new ArrayList<>();
      for (var next = plan.next(); next.isPresent(); next = plan.next()) {
        asked.add(next.get());
      }
      requests += asked.size();
      return asked;
    }

    private boolean answer(Stretch stretch) {
      ListPage page = page(stretch.request());
      received += page.objects().size();
      return plan.answer(stretch, page);
    }

    /** Answers like S3; the token is the last key. */
    private ListPage page(ListRequest request) {
      String after = request.token().orElse(request.startAfter());
      List<ObjectMeta> objects = new ArrayList<>();
      for (String key : after.isEmpty() ? keys : keys.tailSet(after, false)) {
        if (objects.size() == request.maxKeys()) {
          String last = objects.get(objects.size() - 1).key();
          return new ListPage(objects, List.of(), Optional.of(last));
        }
        objects.add(object(key));
      }
      return new ListPage(objects, List.of(), Optional.empty());
    }

    private static ObjectMeta object(String key) {
      return new ObjectMeta(key, 1, "e", Instant.EPOCH, Optional.empty());
    }
  }
}
