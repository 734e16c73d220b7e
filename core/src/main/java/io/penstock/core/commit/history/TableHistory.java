/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.history.PastCommit.End;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentFiles.Decision;
import io.penstock.core.commit.intent.IntentFiles.Seen;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.pool.Lanes;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
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
    private boolean isTakenBack;
    private Optional<Decision> decision = Optional.empty();
    private Optional<Instant> decided = Optional.empty();

    void add(ObjectVersion version, boolean isDecision) {
      if (IntentNames.isHead(version.key())) {
        isAlone = Optional.of(version.key().endsWith(".alone"));
        isThere |= version.isLatest() && !version.isMarker();
      } else if (isDecision && !version.isMarker()) {
        Optional<Decision> made = Decision.ofSize(version.sizeBytes());
        isTakenBack |= made.equals(Optional.of(Decision.WITHDRAWN));
        if (decided.isEmpty() || version.lastModified().isBefore(decided.get())) {
          // One that says that the commit has ended may have been written later.
          decision = made;
          decided = Optional.of(version.lastModified());
        }
      }
    }

    Optional<PastCommit> commit(String id, Instant began) {
      if (isAlone.isEmpty() || isTakenBack || (decision.isEmpty() && !isThere)) {
        return Optional.empty();
      }
      End end = decision.map(made -> made.isForward() ? End.DONE : End.UNDONE).orElse(End.OPEN);
      return Optional.of(new PastCommit(id, began, end, decided, isAlone.get()));
    }
  }

  /** What the versions of a table's hidden objects tell. */
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
    ObjectStore store = stores.of(table.bucket());
    Map<String, Trace> traces = new TreeMap<>();
    Map<String, String> newest = new HashMap<>();
    boolean hasVersions = false;
    ListRequest request = ListRequest.level(names.all()).after(names.before(time));
    while (true) {
      VersionsPage page = store.listVersions(request);
      for (ObjectVersion version : page.versions()) {
        Optional<String> id = names.id(version.key());
        if (id.isEmpty()) {
          continue;
        }
        hasVersions |= !version.versionId().equals(ObjectVersion.NULL);
        traces
            .computeIfAbsent(id.get(), unused -> new Trace())
            .add(version, names.isDecision(version.key()));
        if (!version.isMarker()) {
          newest.putIfAbsent(version.key(), version.versionId());
        }
      }
      if (page.nextToken().isEmpty()) {
        break;
      }
      request = request.next(page.nextToken().get());
    }
    List<PastCommit> commits = new ArrayList<>();
    traces.forEach((id, trace) -> trace.commit(id, IntentNames.began(id)).ifPresent(commits::add));
    return new Known(commits, newest, hasVersions);
  }
}
