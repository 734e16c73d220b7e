/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.history;

import static io.penstock.tables.Kind.BYTES;
import static io.penstock.tables.Kind.COUNT;
import static io.penstock.tables.Kind.TEXT;
import static io.penstock.tables.Kind.TIME;

import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.history.PastCommit;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Intent;
import io.penstock.tables.Table;
import io.penstock.tables.TableShape;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The commits of a table, for programs: {@code penstock history --format csv}. */
final class CommitTable {
  /**
   * A commit, and what the bucket has kept of it.
   *
   * @param what it did, in a word or two
   */
  record Row(PastCommit commit, String what, Optional<Intent> intent, Optional<Replaced> replaced) {
    /** Returns who ran the job; empty if that is not known. */
    Optional<String> user() {
      return known(CommittingJob::user);
    }

    private Optional<String> known(Function<CommittingJob, String> fact) {
      return intent.map(Intent::job).map(fact).filter(text -> !text.equals(CommittingJob.UNKNOWN));
    }

    private Long bytes() {
      return intent
          .map(one -> one.files().stream().mapToLong(TaskFile::sizeBytes).sum())
          .orElse(null);
    }

    private Long rows() {
      return intent.isPresent() && intent.get().rows().isPresent()
          ? (Long) intent.get().rows().getAsLong()
          : null;
    }
  }

  private static final TableShape<Row> TABLE =
      new TableShape<Row>("history", "Commits")
          .with("commit", TEXT, row -> row.commit.job())
          .with("began", TIME, row -> row.commit.began())
          .with("ended", TIME, row -> row.commit.ended().orElse(null))
          .with("what", TEXT, Row::what)
          .with("user", TEXT, row -> row.user().orElse(null))
          .with("application", TEXT, row -> row.known(CommittingJob::application).orElse(null))
          .with("host", TEXT, row -> row.known(CommittingJob::host).orElse(null))
          .with(
              "name",
              TEXT,
              row -> row.intent.flatMap(Intent::name).map(Object::toString).orElse(null))
          .with("files", COUNT, row -> row.intent.map(one -> one.files().size()).orElse(null))
          .with("rows", COUNT, Row::rows)
          .with("bytes", BYTES, Row::bytes)
          .with("replaced", COUNT, row -> row.replaced.map(one -> one.old().size()).orElse(null));

  private CommitTable() {}

  static Table of(List<Row> rows) {
    return TABLE.of(rows);
  }
}
