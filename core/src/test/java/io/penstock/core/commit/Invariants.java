/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.Doing.Kind;
import io.penstock.core.commit.Doing.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What must be true of every schedule.
 *
 * <table>
 *   <caption>Invariants</caption>
 *   <tr><td>rows serial</td><td>the rows are those that some order of whole jobs leaves</td></tr>
 *   <tr><td>report true</td><td>what reported success is in that order, what failed is not</td></tr>
 *   <tr><td>marker true</td><td>{@code _SUCCESS} never stands beside a part of a job (except of an
 *       append that overlaps another), and it stands where a job has committed</td></tr>
 *   <tr><td>nothing locked</td><td>the next job succeeds, within two minutes; within half a minute
 *       if nobody died</td></tr>
 *   <tr><td>nothing left</td><td>no hidden object and no upload stays</td></tr>
 *   <tr><td>nobody killed</td><td>no job fails as dead that has renewed its lease</td></tr>
 * </table>
 */
final class Invariants {
  private final Schedule schedule;
  private final Set<Map<String, String>> possible;
  private Map<String, String> last = Map.of();
  private boolean lastMarker;

  Invariants(Schedule schedule) {
    this.schedule = schedule;
    this.possible = Doing.possible(schedule.old, schedule.all);
  }

  /** Checks what must hold at every moment. */
  void checkStep() throws IOException {
    Map<String, String> visible = schedule.world.visible();
    boolean hasMarker = schedule.world.hasMarker();
    if (visible.equals(last) && hasMarker == lastMarker) {
      return;
    }
    last = visible;
    lastMarker = hasMarker;
    require(
        "rows serial: nothing is lost",
        possible.stream().anyMatch(state -> visible.entrySet().containsAll(state.entrySet())));
    if (hasMarker && schedule.all.stream().noneMatch(Invariants::isChangingDirectories)) {
      require("marker true: half a job is vouched for", isWhole(visible));
    }
  }

  private static boolean isChangingDirectories(Doing doing) {
    // A rename that has failed has left copies of a part.
    return !doing.kind.isJob() && doing.hasBegun && doing.outcome != Outcome.DONE;
  }

  private boolean isWhole(Map<String, String> visible) {
    return possible.stream().anyMatch(state -> differsByAppendsOnly(visible, state));
  }

  private boolean differsByAppendsOnly(Map<String, String> visible, Map<String, String> state) {
    Map<String, String> more = new HashMap<>(visible);
    if (!visible.entrySet().containsAll(state.entrySet())) {
      return false;
    }
    more.keySet().removeAll(state.keySet());
    Predicate<String> isOfAnAppend =
        id -> schedule.all.stream().anyMatch(job -> job.id.equals(id) && job.kind == Kind.APPEND);
    return more.values().stream().allMatch(isOfAnAppend);
  }

  /**
   * Checks what must hold when all have ended.
   *
   * @param lastArrivals lets all requests arrive that are still under way
   */
  void checkEnd(Runnable lastArrivals) throws IOException {
    checkReports();
    checkRest();
    boolean hasLeftIntent = schedule.hasRefused() && mayHaveLeftIntent();
    if (schedule.isCalm() && !hasLeftIntent) {
      lastArrivals.run();
      checkRows();
      checkMarker();
    }
    long waitedNanos = schedule.awaitedBy("next", Kind.APPEND, "t/p=1/part-9-next");
    require("nothing locked", outcome("next") == Outcome.DONE);
    boolean isQuick = schedule.isCalm() && !schedule.hasLateIntents() && !hasLeftIntent;
    Duration longest = isQuick ? Duration.ofSeconds(30) : Duration.ofMinutes(2);
    require("nothing locked for long", waitedNanos <= longest.toNanos());
    lastArrivals.run();
    checkRows();
    schedule.world.time.advance(Duration.ofDays(2));
    schedule.awaitedBy("last", Kind.OVERWRITE, "t/p=1/part-9-last");
    require("nothing locked", outcome("last") == Outcome.DONE);
    checkRows();
    require("marker true: it is there", schedule.world.hasMarker());
    schedule.world.time.advance(Duration.ofDays(2));
    schedule.awaitedBy("cleaner", Kind.APPEND);
    List<String> hidden = schedule.world.intentObjects();
    require("nothing left: " + hidden, hidden.isEmpty());
    boolean mayLeaveUploads = !schedule.isCalm() || schedule.hasRefused();
    require("nothing left: uploads", schedule.world.pending().isEmpty() || mayLeaveUploads);
  }

  /**
   * Returns true if a process was not let end its commit. It has said so, unless it may not even
   * write that the commit has ended, or may not abort the uploads of a job that writes nothing.
   */
  private boolean mayHaveLeftIntent() {
    return schedule.all.stream().anyMatch(doing -> doing.outcome == Outcome.UNKNOWN)
        || schedule.log().stream()
            .anyMatch(
                line -> line.matches(".*[.](decision|settling) DENIED|.* ABORT_UPLOAD .* DENIED"));
  }

  /** Checks what is left at once, before the next job cleans up. */
  private void checkRest() throws IOException {
    boolean isKnown = schedule.all.stream().noneMatch(job -> job.outcome == Outcome.UNKNOWN);
    boolean isCalm = schedule.isCalm() && !schedule.hasRefused() && !schedule.hasLateIntents();
    if (isKnown && isCalm) {
      List<String> left = new ArrayList<>(schedule.world.intentObjects());
      left.removeIf(key -> key.matches(".*[.](decision|settling)"));
      require("nothing left at once: " + left, left.isEmpty());
    }
  }

  private void checkRows() throws IOException {
    if (schedule.all.stream().anyMatch(one -> !one.kind.isJob() && one.outcome != Outcome.DONE)) {
      return; // A change of a directory is not atomic, and says so when it fails.
    }
    Map<String, String> visible = schedule.world.visible();
    require(
        "rows serial and report true: " + visible,
        Doing.ends(schedule.old, schedule.all).contains(visible));
  }

  private void checkMarker() throws IOException {
    boolean hasCommitted =
        schedule.all.stream()
            .anyMatch(
                job -> job.kind.isJob() && job.kind != Kind.IGNORE && job.outcome == Outcome.DONE);
    boolean isGone = schedule.all.stream().anyMatch(doing -> !doing.kind.isJob());
    // A job that may not write it goes on without.
    boolean isDenied =
        schedule.log().stream().anyMatch(line -> line.matches(".*/_SUCCESS (DENIED|EXPIRED)"));
    // What was not let look around leaves its intent, and the next job writes the marker.
    boolean isNexts = schedule.hasRefused() && !schedule.world.intentObjects().isEmpty();
    boolean mayLack = isGone || isDenied || isNexts;
    require("marker true: it is there", !hasCommitted || mayLack || schedule.world.hasMarker());
  }

  private void checkReports() {
    boolean isAnyDead =
        schedule.log().stream()
            .anyMatch(
                line ->
                    line.matches("job[0-9] failed: .*taken this job for dead.*")
                        && !schedule.wasPaused(named(line)));
    require("nobody killed", !isAnyDead);
  }

  private Doing named(String line) {
    return schedule.all.stream()
        .filter(doing -> line.startsWith(doing.id + " "))
        .findFirst()
        .orElseThrow();
  }

  private Outcome outcome(String id) {
    return schedule.all.stream()
        .filter(doing -> doing.id.equals(id))
        .findFirst()
        .orElseThrow()
        .outcome;
  }

  private static void require(String what, boolean isTrue) {
    if (!isTrue) {
      throw new AssertionError(what);
    }
  }
}
