/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import static io.penstock.core.caller.Wait.FOR_PERMIT;
import static io.penstock.core.caller.Wait.FOR_RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.caller.Wait;
import io.penstock.core.pool.LaneSchedule.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaneScheduleTest {
  private final LaneSchedule schedule = new LaneSchedule(64);
  private final List<String> ran = new ArrayList<>();

  private static Lane lane(String bucket) {
    return new Lane(bucket, "READ", "");
  }

  private void add(LaneSchedule to, String bucket, int count) {
    for (int i = 0; i < count; i++) {
      String name = bucket + i;
      to.add(lane(bucket), () -> ran.add(name));
    }
  }

  private static List<Piece> startAll(LaneSchedule schedule) {
    List<Piece> started = new ArrayList<>();
    for (Optional<Piece> next = schedule.start(); next.isPresent(); next = schedule.start()) {
      started.add(next.get());
    }
    return started;
  }

  /** How many of the pieces gave their place away. */
  private int wait(List<Piece> pieces, Wait wait) {
    return (int) pieces.stream().filter(piece -> schedule.waits(piece, wait)).count();
  }

  private void runAll(List<Piece> pieces) {
    pieces.forEach(piece -> piece.work().run());
  }

  @Test
  void workOfOneLaneStartsInTheOrderInWhichItCame() {
    add(schedule, "a", 5);
    runAll(startAll(schedule));
    assertThat(ran).containsExactly("a0", "a1", "a2", "a3", "a4");
  }

  @Test
  void lanesTakeTurnsHoweverMuchOneOfThemHasQueued() {
    LaneSchedule narrow = new LaneSchedule(7);
    add(narrow, "a", 40_000);
    add(narrow, "b", 3);
    add(narrow, "c", 1);
    runAll(startAll(narrow));
    assertThat(ran).containsExactly("a0", "b0", "c0", "a1", "b1", "a2", "b2", "a3", "a4");
  }

  @Test
  void asManyRunAsThereArePlacesAndOneThatEndsMakesPlaceForTheNext() {
    add(schedule, "a", 100);
    List<Piece> running = startAll(schedule);
    assertThat(running).hasSize(64);
    schedule.ended(running.get(7));
    assertThat(startAll(schedule)).hasSize(1);
  }

  @Test
  void aLaneHasEightPlacesOfItsOwnWhenAnotherStandsStillInAllOfThem() {
    add(schedule, "a", 100);
    assertThat(startAll(schedule)).hasSize(64);
    add(schedule, "b", 100);
    List<Piece> running = startAll(schedule);
    assertThat(running).hasSize(8);
    runAll(running);
    assertThat(ran).allMatch(name -> name.startsWith("b"));
  }

  @Test
  void aFewPiecesOfOneLaneTakeNoPlaceOfAnother() {
    add(schedule, "a", 8);
    assertThat(startAll(schedule)).hasSize(8);
    add(schedule, "b", 100);
    List<Piece> running = startAll(schedule);
    assertThat(running).hasSize(64);
    schedule.ended(running.get(0));
    assertThat(startAll(schedule)).hasSize(1);
  }

  @Test
  void whatWaitsGivesItsPlaceToOthers() {
    add(schedule, "a", 64);
    assertThat(wait(startAll(schedule), FOR_PERMIT)).isEqualTo(64);
    add(schedule, "b", 100);
    assertThat(startAll(schedule)).hasSize(64);
  }

  @Test
  void aLaneInWhichEightWaitForPermitsStartsNoMoreUntilOneOfThemGoesOn() {
    add(schedule, "a", 1);
    List<Piece> waiting = new ArrayList<>(startAll(schedule));
    wait(waiting, FOR_PERMIT);
    add(schedule, "a", 1_000);
    List<Piece> next = startAll(schedule);
    assertThat(next).as("others of it are likely to wait, too").hasSize(7);
    wait(next, FOR_PERMIT);
    assertThat(startAll(schedule)).isEmpty();

    schedule.waited(waiting.get(0), () -> ran.add("goes on"));
    assertThat(startAll(schedule)).as("before it has a place again").isEmpty();
    schedule.goOn().orElseThrow().run();
    assertThat(ran).containsExactly("goes on");
    assertThat(startAll(schedule)).hasSize(1);
  }

  @Test
  void aLaneThatWaitsForNothingAnyMoreFillsAllPlacesAgain() {
    add(schedule, "a", 1);
    Piece one = startAll(schedule).get(0);
    wait(List.of(one), FOR_PERMIT);
    add(schedule, "a", 1_000);
    assertThat(startAll(schedule)).hasSize(7);
    schedule.waited(one, () -> {});
    schedule.goOn().orElseThrow().run();
    assertThat(startAll(schedule)).hasSize(56);
  }

  @Test
  void aLaneInWhich64WaitForRetriesStartsNoMore() {
    add(schedule, "a", 1_000);
    assertThat(wait(startAll(schedule), FOR_RETRY)).isEqualTo(64);
    assertThat(startAll(schedule)).isEmpty();
  }

  @Test
  void whatGoesOnTakesAPlaceAndWaitsUntilThereIsOne() {
    LaneSchedule narrow = new LaneSchedule(2);
    add(narrow, "a", 4);
    Piece first = narrow.start().orElseThrow();
    assertThat(narrow.waits(first, FOR_RETRY)).isTrue();
    List<Piece> others = startAll(narrow);
    assertThat(others).hasSize(2);
    narrow.waited(first, () -> {});
    assertThat(narrow.goOn()).isEmpty();
    narrow.ended(others.get(0));
    assertThat(narrow.goOn()).isPresent();
    assertThat(narrow.start()).isEmpty();
  }

  /** The bound is 4 * 64 + 16 * 10 = 416; see {@link LaneSchedule}. */
  @Test
  void whenAllWaitFewHaveBegun() {
    int begun = 0;
    for (int i = 0; i < 10; i++) {
      add(schedule, "lane" + i + "-", 1_000);
      for (List<Piece> next = startAll(schedule); !next.isEmpty(); next = startAll(schedule)) {
        begun += next.size();
        wait(next, FOR_PERMIT);
      }
    }
    // 64 of each of the first four lanes, of which the last keeps 56 places; 16 of each other one.
    assertThat(begun).isEqualTo(352);
  }

  @Test
  void aLaneIsForgottenWhenItsWorkIsDone() {
    add(schedule, "a", 2);
    List<Piece> pieces = startAll(schedule);
    wait(pieces.subList(0, 1), FOR_PERMIT);
    schedule.ended(pieces.get(1));
    assertThat(schedule.lanes()).isEqualTo(1);
    schedule.waited(pieces.get(0), () -> {});
    schedule.goOn().orElseThrow().run();
    schedule.ended(pieces.get(0));
    assertThat(schedule.lanes()).isZero();
    assertThat(schedule.isBusy()).isFalse();
  }

  @Test
  void whatCouldNotBeStartedIsTheFirstAgain() {
    add(schedule, "a", 2);
    schedule.putBack(schedule.start().orElseThrow());
    runAll(startAll(schedule));
    assertThat(ran).containsExactly("a0", "a1");
  }

  @Test
  void onlyTheBucketThatIsWideHasMorePlaces() {
    schedule.places("a", 192);
    add(schedule, "b", 500);
    assertThat(startAll(schedule)).hasSize(64);
    add(schedule, "a", 500);
    List<Piece> ofA = startAll(schedule);
    assertThat(ofA).as("8 of its own, and what b leaves of 184").hasSize(8 + 184 - 56);
    schedule.places("a", 64);
    schedule.ended(ofA.get(0));
    assertThat(startAll(schedule)).isEmpty();
  }

  @Test
  void theOtherBucketsTogetherHaveAsManyPlacesAsWithoutAWideOne() {
    schedule.places("a", 192);
    for (String bucket : List.of("b", "c", "d", "e")) {
      add(schedule, bucket, 500);
    }
    assertThat(startAll(schedule)).hasSize(4 * 8 + 56);
    add(schedule, "a", 500);
    assertThat(startAll(schedule)).hasSize(8 + 184 - 56);
  }

  @Test
  void twoWideBucketsShareThePlacesOfTheWidest() {
    schedule.places("a", 192);
    schedule.places("b", 100);
    add(schedule, "b", 500);
    assertThat(startAll(schedule)).hasSize(100);
    add(schedule, "a", 500);
    assertThat(startAll(schedule)).hasSize(8 + 184 - 92);
  }
}
