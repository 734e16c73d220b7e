/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.history;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.history.PastCommit;
import io.penstock.core.commit.history.PastCommit.End;
import io.penstock.core.commit.history.TableHistory;
import io.penstock.core.commit.history.TableHistory.Known;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds commits of a table, the newest ones without a look at all the older ones. */
final class CommitsOfTable {
  /** The fewest characters of a job's id that name a commit. */
  private static final int NAME_MIN = 4;

  private static final int SHORT = 8;

  /** Each is looked through if the shorter one before did not have what is sought. */
  private static final List<Duration> SPANS =
      List.of(Duration.ofDays(1), Duration.ofDays(30), Duration.ofDays(100_000));

  private final TableHistory history;
  private final OutputTable table;
  private final Instant now;

  /**
   * @param now by the clock of this machine
   */
  CommitsOfTable(TableHistory history, OutputTable table, Instant now) {
    this.history = history;
    this.table = table;
    this.now = now;
  }

  /** Returns commits, among them the newest ones, up to that number if there are so many. */
  Known newest(int count) throws IOException {
    return known(found -> found.commits().size() >= count);
  }

  private Known known(Predicate<Known> isEnough) throws IOException {
    Known found = null;
    for (Duration span : SPANS) {
      Instant since = now.minus(span);
      found = history.since(since.isBefore(Instant.EPOCH) ? Instant.EPOCH : since);
      if (isEnough.test(found)) {
        break;
      }
    }
    return found;
  }

  /**
   * Returns the commit of a name.
   *
   * @param name the beginning of the job's id, or {@code last} for the newest commit that has made
   *     files visible
   * @throws IllegalArgumentException if there are more than one
   * @throws IOException if there is none
   */
  PastCommit named(String name) throws IOException {
    if (name.equals("last")) {
      return known(known -> !done(known).isEmpty()).commits().stream()
          .filter(commit -> commit.end() == End.DONE)
          .max(Comparator.comparing(commit -> commit.ended().orElseThrow()))
          .orElseThrow(() -> none("no commit is known"));
    }
    if (name.length() < NAME_MIN) {
      throw new IllegalArgumentException(
          "'%s' is too short to name a commit; give at least %d characters of the job's id"
              .formatted(name, NAME_MIN));
    }
    List<PastCommit> found =
        known(known -> !named(known, name).isEmpty()).commits().stream()
            .filter(commit -> commit.job().startsWith(name))
            .toList();
    Optional<PastCommit> exact = found.stream().filter(commit -> commit.isOf(name)).findFirst();
    if (exact.isPresent()) {
      return exact.get();
    }
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          "'%s' names %d commits: %s; give more of the job's id"
              .formatted(name, found.size(), found.stream().map(PastCommit::job).toList()));
    }
    return found.stream()
        .findFirst()
        .orElseThrow(
            () -> none("no commit is known whose job's id begins with '%s'".formatted(name)));
  }

  private IOException none(String what) {
    return new IOException("%s: %s. See 'penstock history %s'".formatted(table, what, table));
  }

  private static List<PastCommit> done(Known known) {
    return known.commits().stream().filter(commit -> commit.end() == End.DONE).toList();
  }

  private static List<PastCommit> named(Known known, String name) {
    return known.commits().stream().filter(commit -> commit.job().startsWith(name)).toList();
  }

  /** Returns how many characters of the jobs' ids tell them apart, at least eight. */
  static int lengthOfNames(List<PastCommit> commits) {
    for (int length = SHORT; ; length++) {
      Set<String> names = new HashSet<>();
      boolean isLongest = true;
      for (PastCommit commit : commits) {
        names.add(shortName(commit.job(), length));
        isLongest &= commit.job().length() <= length;
      }
      if (names.size() == commits.size() || isLongest) {
        return length;
      }
    }
  }

  static String shortName(String job, int length) {
    return job.substring(0, Math.min(length, job.length()));
  }
}
