/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.history.PastCommit.End;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.pool.Lanes;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.versions.ObjectVersion;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The commits of a table in a bucket that keeps versions. A commit deletes the hidden objects of
 * its intent when it has ended, and the bucket keeps them: so a commit costs no request more for
 * its history, and a commit is forgotten when the bucket's lifecycle rules remove old versions.
 */
public final class TableHistory {
  private final Stores stores;
  private final OutputTable table;
  private final Lanes pool;
  private final IntentNames names;

  public TableHistory(Stores stores, OutputTable table, Lanes pool) {
    this.stores = stores;
    this.table = table;
    this.pool = pool;
    this.names = new IntentNames(table);
  }

  /** The versions of one intent's objects, as far as they are listed. */
  private static final class Trace {
    private Optional<Boolean> isAlone = Optional.empty();
    private boolean isThere;
    private boolean hasPassed;
    private boolean isTakenBack;
    private boolean isSaidToHaveEnded;
    private Optional<Instant> endedByOther = Optional.empty();
    private Optional<Decision> decision = Optional.empty();
    private Optional<Instant> decided = Optional.empty();
    private Instant last = Instant.EPOCH;

    void add(ObjectVersion version, IntentNames names) {
      last = version.lastModified().isAfter(last) ? version.lastModified() : last;
      hasPassed |= names.isOfReplaced(version.key());
      if (IntentNames.isHead(version.key())) {
        isAlone = Optional.of(version.key().endsWith(".alone"));
        isThere |= version.isLatest() && !version.isMarker();
      } else if (names.isDecision(version.key()) && !version.isMarker()) {
        decided(Decision.ofSize(version.sizeBytes()), version.lastModified());
      }
    }

    /** The earliest decision counts: a later one is that of a process that has been too slow. */
    private void decided(Optional<Decision> made, Instant time) {
      isTakenBack |= made.equals(Optional.of(Decision.WITHDRAWN));
      if (made.equals(Optional.of(Decision.ENDED_FORWARD)) && endedByOther.isEmpty()) {
        endedByOther = Optional.of(time); // The newest, if more than one has.
      }
      isSaidToHaveEnded |= made.filter(Decision::isEnd).isPresent();
      // Newer versions are listed first, and some stores tell the time in whole seconds.
      if (decided.isEmpty() || !time.isAfter(decided.get())) {
        decision = made;
        decided = Optional.of(time);
      }
    }

    Optional<PastCommit> commit(String id) {
      if (isTakenBack || (decision.isEmpty() && !isThere && !hasPassed)) {
        return Optional.empty(); // It has changed nothing.
      }
      End end = end();
      Optional<Instant> ended =
          end == End.OPEN ? Optional.empty() : Optional.of(decided.orElse(last));
      return Optional.of(
          new PastCommit(
              id, IntentNames.began(id), end, ended, isAlone.orElse(true), endedByOther));
    }

    private End end() {
      if (isThere && !isSaidToHaveEnded) {
        return End.OPEN;
      }
      if (decision.isEmpty() || isAlone.isEmpty()) {
        return End.UNKNOWN;
      }
      return decision.get().isForward() ? End.DONE : End.UNDONE;
    }
  }

  /** The commits that the versions of a table's hidden objects tell of. */
  public final class Known {
    private final List<PastCommit> commits;
    private final Map<String, String> newest;
    private final boolean hasVersions;

    private Known(List<PastCommit> commits, Map<String, String> newest, boolean hasVersions) {
      this.commits = List.copyOf(commits);
      this.newest = newest;
      this.hasVersions = hasVersions;
    }

    /** Returns the commits in the order in which they began. */
    public List<PastCommit> commits() {
      return commits;
    }

    /**
     * Returns false if no hidden object of a commit is kept: the bucket keeps no versions, or
     * nobody has committed to the table with Penstock.
     */
    public boolean hasVersions() {
      return hasVersions;
    }

    /** Returns true if the bucket has kept the commit's intent as a version of its own. */
    boolean isKept(PastCommit commit) {
      String version = newest.get(names.head(commit.id(), commit.isAlone()));
      return version != null && !version.equals(ObjectVersion.NULL);
    }

    /** Reads what a commit has made visible; empty if a version of its intent is gone. */
    public Optional<Intent> intent(PastCommit commit) throws IOException {
      return files().read(seen(commit));
    }

    /** Reads what a commit has replaced; empty if it had not come so far, or a version is gone. */
    public Optional<Replaced> replaced(PastCommit commit) throws IOException {
      return files().replaced(commit.id());
    }

    private IntentFiles files() throws IOException {
      ObjectStore past = new HiddenVersions(stores.of(table.bucket()), newest);
      return new IntentFiles(bucket -> past, table, pool);
    }

    private Seen seen(PastCommit commit) {
      Instant when = commit.ended().orElse(commit.began());
      return new Seen(commit.id(), commit.isAlone(), true, true, true, when, when);
    }
  }

  /**
   * Reads the commits that began at that time or later. Takes one request for each 1,000 versions
   * of hidden objects; a commit has about six.
   */
  public Known since(Instant time) throws IOException {
    Map<String, Trace> traces = new TreeMap<>();
    Map<String, String> newest = new HashMap<>();
    boolean[] hasVersions = new boolean[1];
    forEachHiddenVersion(
        time,
        version -> {
          Optional<String> id = names.id(version.key());
          if (id.isEmpty()) {
            return;
          }
          hasVersions[0] |= !version.versionId().equals(ObjectVersion.NULL);
          traces.computeIfAbsent(id.get(), unused -> new Trace()).add(version, names);
          if (!version.isMarker()) {
            newest.putIfAbsent(version.key(), version.versionId());
          }
        });
    List<PastCommit> commits = new ArrayList<>();
    traces.forEach((id, trace) -> trace.commit(id).ifPresent(commits::add));
    return new Known(commits, newest, hasVersions[0]);
  }

  /** Reads the versions of the intents' objects; none from a store that has no versions. */
  private void forEachHiddenVersion(Instant since, Keys.VersionReader reader) throws IOException {
    try {
      Keys.forEachVersion(
          stores.of(table.bucket()),
          ListRequest.level(names.all()).after(names.before(since)),
          reader);
    } catch (StoreException e) {
      if (e.kind() == Kind.ACCESS_DENIED) {
        throw e.because(
            "Versions are listed with s3:ListBucketVersions, and read with s3:GetObjectVersion; see"
                + " docs/permissions.md.");
      }
      if (e.kind() != Kind.UNSUPPORTED) {
        throw e;
      }
    }
  }
}
