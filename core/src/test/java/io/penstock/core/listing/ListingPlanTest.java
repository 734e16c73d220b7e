/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.KeyOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counts the requests of listings of many keys, and those that must follow one another, on stores
 * that list after any name and on stores that do not.
 */
class ListingPlanTest {
  private static final int AT_ONCE = 16;
  private static final String PREFIX = "warehouse/t/";
  private static final Map<Form, NavigableSet<String>> MADE = new EnumMap<>(Form.class);

  /**
   * Forms of keys, with the most rounds that a listing of them may need: first on a store that
   * lists after any name.
   */
  enum Form {
    THOUSAND_PARTITIONS(100_000, 30, 30, i -> "p=" + i / 100 + "/part-" + padded(i % 100)),
    TEN_THOUSAND_PARTITIONS(100_000, 30, 100, i -> "p=" + i / 10 + "/part-" + padded(i % 10)),
    DAYS_AND_HOURS(
        100_000,
        45,
        40,
        i -> "day=" + day(i / 240) + "/hour=" + i % 240 / 10 + "/part-" + padded(i % 10)),
    ONE_DIRECTORY(300_000, 50, 300, i -> "part-" + padded(i) + "-c000.parquet"),
    HASHED(300_000, 50, 300, i -> hashed(i) + "/data"),
    MANY_JOBS(200_000, 50, 200, i -> "part-" + padded(i % 200) + "-" + hashed(i / 200)),
    WORDS(100_000, 30, 100, i -> word(new SplittableRandom(i)) + i),
    /** Only characters that are no digits tell the keys apart. */
    NOTHING_TO_GUESS(100_000, 100, 100, i -> "x" + (char) ('\u4e00' + i / 100) + i % 100),
    ONE_PAGE(1_000, 1, 1, ListingPlanTest::padded),
    THREE_YEARS_OF_DAYS(
        300_000,
        130,
        70,
        i -> "year=" + (2024 + i / 100_000) + "/day=" + padded(i / 300) + "/" + padded(i % 300)),
    ONE_LARGE_DIRECTORY_OF_MANY(
        200_000, 203, 200, i -> i < 1_000 ? padded(i) + "/a" : "00500/b" + padded(i)),
    A_DELTA_TABLE(
        200_000,
        100,
        60,
        i -> i < 2_000 ? "_delta_log/" + padded(i) : "p=" + i % 500 + "/" + hashed(i)),
    A_YEAR_OF_DAYS(
        109_500, 60, 60, i -> "year=2024/day=" + padded(i / 300) + "/" + padded(i % 300)),
    A_DIRECTORY_WITH_A_MARKER(
        110_000,
        75,
        75,
        i ->
            i == 0
                ? ""
                : (i < 1_000 ? "metadata/" + padded(i) : "data/p=" + padded(i / 300) + "/" + i)),
    FIVE_PAGES(5_000, 5, 5, ListingPlanTest::padded);

    private final int keys;
    private final int roundsMax;
    private final int roundsByDirectoriesMax;

    @SuppressWarnings("ImmutableEnumChecker") // pure functions
    private final IntFunction<String> key;

    Form(int keys, int roundsMax, int roundsByDirectoriesMax, IntFunction<String> key) {
      this.keys = keys;
      this.roundsMax = roundsMax;
      this.roundsByDirectoriesMax = roundsByDirectoriesMax;
      this.key = key;
    }

    NavigableSet<String> keys() {
      return MADE.computeIfAbsent(
          this,
          form -> {
            NavigableSet<String> all = new TreeSet<>(KeyOrder.INSTANCE);
            for (int i = 0; i < keys; i++) {
              all.add(PREFIX + key.apply(i));
            }
            return Collections.unmodifiableNavigableSet(all);
          });
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
    Run run = new Run(form.keys(), true, AT_ONCE, Long.MAX_VALUE).toTheEnd();
    assertThat(run.rounds).isLessThanOrEqualTo(form.roundsMax);
    assertComplete(run, form);
  }

  @ParameterizedTest
  @EnumSource
  void aListingByDirectoriesIsCompleteAndTakesFewRounds(Form form) {
    Run run = new Run(form.keys(), false, AT_ONCE, Long.MAX_VALUE).toTheEnd();
    // A survey that finds nothing takes a round.
    assertThat(run.rounds).isLessThanOrEqualTo(form.roundsByDirectoriesMax + 1);
    assertComplete(run, form);
  }

  private static void assertComplete(Run run, Form form) {
    List<String> keys = List.copyOf(form.keys());
    assertThat(run.listed.equals(keys)).as("the listing is complete and in order").isTrue();
    int pages = (keys.size() + 999) / 1000;
    assertThat(run.requests).isLessThanOrEqualTo((int) Math.ceil(1.1 * pages) + 1);
  }

  @Test
  void keysOfAnyFormAreListedOnce() {
    for (long seed = 0; seed < 60; seed++) {
      NavigableSet<String> keys = randomKeys(new SplittableRandom(seed));
      Run run = new Run(keys, seed % 3 == 0, AT_ONCE, Long.MAX_VALUE).toTheEnd();
      assertThat(run.listed.equals(List.copyOf(keys))).as("seed %d", seed).isTrue();
    }
  }

  /** Keys of up to four directories, whose names begin each other, with objects beside them. */
  private static NavigableSet<String> randomKeys(SplittableRandom random) {
    String letters = random.nextBoolean() ? "ab" : "-./0=z\ud83d\ude00\uffee";
    int depth = random.nextInt(1, 5);
    int names = random.nextInt(2, 60);
    NavigableSet<String> keys = new TreeSet<>(KeyOrder.INSTANCE);
    int count = random.nextInt(9_000, 40_000);
    for (int i = 0; i < count; i++) {
      StringBuilder key = new StringBuilder(PREFIX);
      for (int level = random.nextInt(depth + 1); level > 0; level--) {
        key.append(name(letters, random.nextInt(names))).append('/');
      }
      keys.add(
          key.append(name(letters, random.nextInt(names))).append(i % 3 == 0 ? "" : i).toString());
    }
    return keys;
  }

  private static String name(String letters, int number) {
    SplittableRandom random = new SplittableRandom(number);
    int[] characters = letters.codePoints().toArray();
    StringBuilder name = new StringBuilder();
    for (int length = random.nextInt(1, 6); length > 0; length--) {
      name.appendCodePoint(characters[random.nextInt(characters.length)]);
    }
    return name.toString().replace("/", "0");
  }

  /** Stores that walk through directories, or compare UTF-16: no key may be lost there. */
  @Test
  void aStoreWithAnotherOrderIsNotDividedByDirectories() {
    Comparator<String> walk = Comparator.comparing(key -> key.replace('/', '\0'));
    NavigableSet<String> besideAnOld = new TreeSet<>(walk);
    for (int i = 0; i < 32_000; i++) {
      String directory = i < 30_000 ? "a/d%02d/".formatted(i / 1000) : i < 31_000 ? "a.old/" : "b/";
      besideAnOld.add(PREFIX + directory + padded(i));
    }
    NavigableSet<String> emoji = new TreeSet<>(Comparator.<String>naturalOrder());
    for (int i = 0; i < 14_000; i++) {
      String directory = i < 12_000 ? "\ud83d\ude00/" : i < 13_000 ? "\ud83d\ude01/" : "\uffee/";
      emoji.add(PREFIX + directory + padded(i));
    }
    for (NavigableSet<String> keys : List.of(besideAnOld, emoji)) {
      Run run = new Run(keys, false, AT_ONCE, Long.MAX_VALUE).toTheEnd();
      assertThat(run.listed.equals(List.copyOf(keys))).isTrue();
    }
  }

  @Test
  void aSurveyThatFailsEndsNoListing() {
    NavigableSet<String> keys = Form.THOUSAND_PARTITIONS.keys();
    Run run = new Run(keys, false, AT_ONCE, Long.MAX_VALUE);
    while (!run.plan.isDone()) {
      for (ListingShard stretch : run.ask()) {
        if (stretch.request().delimiter().isEmpty()) {
          assertThat(run.answer(stretch)).isTrue();
        } else {
          assertThat(run.plan.fail(stretch)).isFalse();
        }
      }
      run.plan.take().forEach(object -> run.listed.add(object.key()));
    }
    assertThat(run.listed.equals(List.copyOf(keys))).isTrue();
    assertThat(run.requests).isEqualTo(101);
  }

  @Test
  void afterALossOfOrderNothingIsDividedByDirectories() {
    NavigableSet<String> keys = new TreeSet<>(Comparator.reverseOrder());
    keys.addAll(Form.THOUSAND_PARTITIONS.keys());
    Run run = new Run(keys, false, AT_ONCE, Long.MAX_VALUE).toTheEnd();
    assertThat(run.listed.equals(List.copyOf(keys))).isTrue();
    assertThat(run.requests).isEqualTo(100);
  }

  @Test
  void onePageAtOnceIsOnePageAfterTheOther() {
    Run run = new Run(Form.WORDS.keys(), true, 1, Long.MAX_VALUE).toTheEnd();
    assertThat(run.requests).isEqualTo(100);
    assertThat(run.rounds).isEqualTo(100);
  }

  @Test
  void keysThatNobodyTakesHoldTheListingUp() {
    Run run = new Run(Form.THOUSAND_PARTITIONS.keys(), true, AT_ONCE, 3_000).toTheEnd();
    assertThat(run.listed.equals(List.copyOf(Form.THOUSAND_PARTITIONS.keys()))).isTrue();
    // Those of the requests under way come on top.
    assertThat(run.waitingMax).isBetween(3_000L, 3_000L + AT_ONCE * 1_000);
  }

  @Test
  void aStoreWithoutOrderIsNotListedByGuesses() {
    NavigableSet<String> keys = new TreeSet<>(Comparator.reverseOrder());
    keys.addAll(Form.WORDS.keys());
    Run run = new Run(keys, true, AT_ONCE, Long.MAX_VALUE).toTheEnd();
    assertThat(run.listed.equals(List.copyOf(keys))).isTrue();
    assertThat(run.requests).isEqualTo(100);
  }

  @Test
  void anOrderThatIsLostLaterIsNoticed() {
    Run run = new Run(Form.WORDS.keys(), true, AT_ONCE, Long.MAX_VALUE);
    List<ListingShard> asked = List.of();
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

    Run(NavigableSet<String> keys, boolean listsAfterAnyName, int atOnce, long bufferedMax) {
      this.keys = keys;
      this.plan = new ListingPlan(PREFIX, listsAfterAnyName, atOnce, bufferedMax);
    }

    Run toTheEnd() {
      while (!plan.isDone()) {
        List<ListingShard> asked = ask();
        asked.forEach(stretch -> assertThat(answer(stretch)).isTrue());
        rounds += asked.isEmpty() ? 0 : 1;
        waitingMax = Math.max(waitingMax, received - listed.size());
        plan.take().forEach(object -> listed.add(object.key()));
      }
      return this;
    }

    private List<ListingShard> ask() {
      List<ListingShard> asked = new ArrayList<>();
      for (var next = plan.next(); next.isPresent(); next = plan.next()) {
        asked.add(next.get());
      }
      requests += asked.size();
      return asked;
    }

    private boolean answer(ListingShard stretch) {
      ListPage page = page(stretch.request());
      received += page.objects().size();
      return plan.answer(stretch, page);
    }

    /** Answers like S3; the token is the last key or group. */
    private ListPage page(ListRequest request) {
      String after = request.token().orElse(request.startAfter());
      List<ObjectMeta> objects = new ArrayList<>();
      List<String> groups = new ArrayList<>();
      String last = "";
      boolean isFirst = after.isEmpty() && keys.comparator() != KeyOrder.INSTANCE;
      for (String key : isFirst ? keys : keysFrom(request.prefix(), after)) {
        if (!key.startsWith(request.prefix())) {
          break;
        }
        if (isIn(groups, key) || isIn(List.of(after), key)) {
          continue;
        }
        if (objects.size() + groups.size() == request.maxKeys()) {
          return new ListPage(objects, groups, Optional.of(last));
        }
        int end = key.indexOf('/', request.prefix().length()) + 1;
        if (!request.delimiter().isEmpty() && end > 0) {
          last = key.substring(0, end);
          groups.add(last);
        } else {
          last = key;
          objects.add(object(key));
        }
      }
      return new ListPage(objects, groups, Optional.empty());
    }

    private NavigableSet<String> keysFrom(String prefix, String after) {
      boolean isBehind = !after.isEmpty() && keys.comparator().compare(prefix, after) <= 0;
      isBehind |= !after.isEmpty() && keys.comparator() != KeyOrder.INSTANCE;
      return keys.tailSet(isBehind ? after : prefix, !isBehind);
    }

    /** Returns true if the key is in the last of these groups. */
    private static boolean isIn(List<String> groups, String key) {
      String last = groups.isEmpty() ? "" : groups.get(groups.size() - 1);
      return last.endsWith("/") && key.startsWith(last);
    }

    private static ObjectMeta object(String key) {
      return new ObjectMeta(key, 1, "e", Instant.EPOCH);
    }
  }
}
