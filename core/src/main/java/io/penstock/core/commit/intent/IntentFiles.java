/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.SmallObjects;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The intents at one table. Each object of an intent ({@link IntentNames}) is written once and
 * never changed. Only the lease, an empty object, is written repeatedly.
 */
public final class IntentFiles {
  private static final Logger LOG = LoggerFactory.getLogger(IntentFiles.class);

  private final SmallObjects objects;
  private final IntentNames names;
  private final IntentPages pages;
  private final ListedIntents listed;

  public IntentFiles(Stores stores, OutputTable table, Lanes pool) {
    this.objects = new SmallObjects(stores, table, pool);
    this.names = new IntentNames(table);
    this.pages = new IntentPages(objects, names);
    this.listed = new ListedIntents(names);
  }

  public Listing list() throws IOException {
    return list(names.everything(), Integer.MAX_VALUE).orElseThrow();
  }

  /**
   * Lists everything under the table, if it fits into one page. The listing then has all objects of
   * the table.
   */
  public Optional<Listing> listWhole() throws IOException {
    return list(ListRequest.flat(objects.table().prefix()), 1);
  }

  /** Returns what a listing that was made otherwise shows of the intents. */
  public Listing of(List<ObjectMeta> all) {
    return listed.of(all, Optional.empty(), 1);
  }

  private Optional<Listing> list(ListRequest first, int pagesMax) throws IOException {
    List<ObjectMeta> all = new ArrayList<>();
    ListRequest request = first;
    Optional<Instant> servedAt = Optional.empty();
    int count = 1;
    for (; ; count++) {
      ListPage page = objects.list(request);
      servedAt = servedAt.or(page::servedAt);
      all.addAll(page.objects());
      if (page.nextToken().isEmpty()) {
        break;
      }
      if (count == pagesMax) {
        return Optional.empty();
      }
      request = request.next(page.nextToken().get());
    }
    return Optional.of(listed.of(all, servedAt, count));
  }

  /**
   * What a job finds of its own intent.
   *
   * @param isThere whether the intent itself is still there
   * @param isOver whether a decision has been made that ends the time in which files may be put
   */
  public record Own(boolean isThere, boolean isOver) {
    public boolean isUndecided() {
      return isThere && !isOver;
    }
  }

  /** Looks at the job's own intent. Takes one listing. */
  public Own own(Intent intent) throws IOException {
    List<ObjectMeta> own = objects.under(names.all(intent.id()));
    boolean isThere = own.stream().anyMatch(object -> object.key().equals(headKey(intent)));
    boolean isOver =
        listed
            .decision(intent.id(), own)
            .filter(found -> found.sizeBytes() != Decision.WITHDRAWN.name().length())
            .isPresent();
    return new Own(isThere, isOver);
  }

  /** Writes the intent. Its pages are written first, so it is complete as soon as it is visible. */
  public void put(Intent intent) throws IOException {
    pages.put(intent.id(), intent.files());
    put(
        headKey(intent),
        IntentText.of(intent, objects.table().toString(), IntentPages.count(intent.files())));
  }

  private String headKey(Intent intent) {
    return names.head(intent.id(), intent.isAlone());
  }

  /** Writes down what the job replaces. The pages are written first. */
  public void put(Intent intent, Replaced replaced) throws IOException {
    pages.put(intent.id(), replaced);
    put(names.replaces(intent.id()), IntentText.of(replaced, IntentPages.count(replaced)));
  }

  /** Writes the lease, which shows that the job is alive. */
  public void renew(Intent intent) throws IOException {
    put(names.lease(intent.id()), new byte[0]);
  }

  /**
   * Writes a note that the job has ended but one of its PUTs may still arrive. A later job deletes
   * the note at its fence.
   */
  public void putSettling(Intent intent) throws IOException {
    put(names.settling(intent.id()), new byte[0]);
  }

  /**
   * Writes the table's epoch. The end of a commit changes it unless it changes the {@code _SUCCESS}
   * at the table's root. A reader knows by these two that a commit has ended since.
   */
  public void putEpoch(Intent intent) throws IOException {
    put(names.epoch(), intent.id().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The decision about a commit.
   *
   * @param isOurs whether the caller made this decision
   */
  public record Decided(Decision decision, boolean isOurs) {}

  /**
   * Makes the decision about a commit, unless there is one already. Returns the decision that
   * counts.
   */
  public Decided decide(String id, Decision wish) throws IOException {
    byte[] text = wish.name().getBytes(StandardCharsets.UTF_8);
    try {
      objects.put(names.decision(id), text, Condition.IF_ABSENT);
      return new Decided(wish, true);
    } catch (StoreException e) {
      if (e.kind() == Kind.UNSUPPORTED) {
        return decideUnconditionally(id, wish);
      }
      if (e.kind() != Kind.PRECONDITION_FAILED && e.kind() != Kind.CONFLICT) {
        throw e;
      }
      return new Decided(decision(id).orElseThrow(() -> e), false);
    }
  }

  /** Does so on a store that refuses conditions: of two who decide at one moment, both may win. */
  private Decided decideUnconditionally(String id, Decision wish) throws IOException {
    Optional<Decision> made = decision(id);
    if (made.isPresent()) {
      return new Decided(made.get(), false);
    }
    put(names.decision(id), wish.name().getBytes(StandardCharsets.UTF_8));
    return new Decided(wish, true);
  }

  /** Returns the decision about a commit, if there is one. */
  public Optional<Decision> decision(String id) throws IOException {
    String key = names.decision(id);
    Optional<byte[]> text = objects.get(key);
    return text.isEmpty() ? Optional.empty() : Optional.of(decision(text.get(), key));
  }

  private Decision decision(byte[] text, String key) throws IOException {
    try {
      return Decision.valueOf(new String(text, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw damaged(key, "the decision about a commit cannot be read: it is empty or cut short", e);
    }
  }

  private void put(String key, byte[] content) throws IOException {
    objects.put(key, content, Condition.NONE);
  }

  /**
   * Reads an intent. Returns empty if it no longer exists because its job has ended, or if it
   * belongs to another table.
   */
  public Optional<Intent> read(Seen seen) throws IOException {
    Optional<IntentText.Head> head = head(seen);
    if (head.isEmpty() || isForeign(head.get(), seen)) {
      return Optional.empty();
    }
    Intent found = head.get().intent();
    return head.get().pages() == 0
        ? Optional.of(found)
        : pages.files(seen.id(), head.get().pages()).map(found::with);
  }

  private Optional<IntentText.Head> head(Seen seen) throws IOException {
    String key = names.head(seen.id(), seen.isAlone());
    Optional<byte[]> text = objects.get(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(IntentText.head(text.get()));
    } catch (IOException e) {
      throw damaged(key, e.getMessage(), e);
    }
  }

  /**
   * Returns true if the intent is there, and of a commit with the same name to the same output.
   * Takes one GET.
   */
  public boolean isNamesake(Seen seen, Intent named) throws IOException {
    return head(seen)
        .filter(head -> !isForeign(head, seen))
        .map(IntentText.Head::intent)
        .filter(other -> other.name().equals(named.name()))
        .filter(other -> other.markerKey().equals(named.markerKey()))
        .isPresent();
  }

  /** Returns true if the intent was copied here together with another table. */
  public boolean isForeign(Seen seen) throws IOException {
    return head(seen).filter(head -> isForeign(head, seen)).isPresent();
  }

  private boolean isForeign(IntentText.Head head, Seen seen) {
    return !head.table().equals(objects.table().toString())
        || !head.intent().id().equals(seen.id());
  }

  /**
   * Reads what the job replaces. Returns empty if the job has not written this yet, or has ended.
   */
  public Optional<Replaced> replaced(String id) throws IOException {
    Optional<byte[]> text = objects.get(names.replaces(id));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      IntentText.ReplacedHead head = IntentText.replaced(text.get());
      return head.pages() == 0
          ? Optional.of(head.replaced())
          : pages.replaced(id, head.replaced().hadMarker(), head.pages());
    } catch (IOException e) {
      throw damaged(names.replaces(id), e.getMessage(), e);
    }
  }

  private IOException damaged(String key, String problem, Exception cause) {
    return new IOException(
        "s3://%s/%s: %s. Delete this object once the job that it belongs to has ended"
            .formatted(objects.table().bucket(), key, problem),
        cause);
  }

  /** Writes that the commit has come to its end. */
  public void putEnd(String id, boolean isForward) throws IOException {
    Decision end = isForward ? Decision.ENDED_FORWARD : Decision.ENDED_BACK;
    put(names.decision(id), end.name().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Removes all objects that a job has written for its intent.
   *
   * @param hasLease whether there has been a lease
   * @param withDecision whether the decision is removed, too
   */
  public void remove(
      Intent intent, Optional<Replaced> replaced, boolean hasLease, boolean withDecision)
      throws IOException {
    List<String> keys = new ArrayList<>(pages.keys(intent.id(), intent.files()));
    if (replaced.isPresent()) {
      // A list that lacks a page counts as none. So its first object may be deleted after its
      // pages.
      keys.addAll(pages.keys(intent.id(), replaced.get()));
      keys.add(names.replaces(intent.id()));
    }
    if (hasLease) {
      keys.add(names.lease(intent.id()));
    }
    keys.add(headKey(intent));
    if (withDecision) {
      keys.add(names.decision(intent.id()));
    }
    delete(keys);
  }

  /** A removal of hidden objects. */
  @FunctionalInterface
  public interface Removal {
    void run() throws IOException;
  }

  /**
   * Removes an intent. If this process may not delete, it writes instead that the commit has ended:
   * then nobody waits for it, and whoever may delete it does.
   */
  public void removeOrEnd(String id, boolean isForward, Removal removal) throws IOException {
    try {
      removal.run();
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        endAfter(e, id, isForward);
        throw e;
      }
      putEnd(id, isForward);
      LOG.warn(
          "{}: hidden objects of a commit remain, because this process may not delete them"
              + " (s3:DeleteObject); see docs/permissions.md: {}",
          objects.table(),
          e.getMessage());
    }
  }

  /**
   * Writes that the commit has ended, after its objects could be deleted in part only: the decision
   * may be gone, and a reader would take the rest for an open commit. Does nothing if the store was
   * not reached: the job has waited long for that already.
   */
  private void endAfter(StoreException failure, String id, boolean isForward) {
    if (failure.kind() == Kind.UNREACHABLE || failure.kind() == Kind.CONNECTION_LOST) {
      return;
    }
    try {
      putEnd(id, isForward);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Removes the decision about a commit whose intent is gone. */
  public void removeDecision(String id) throws IOException {
    delete(List.of(names.decision(id)));
  }

  /**
   * Returns true if nobody can need an object whose intent is gone. A decision to go forward may be
   * the answer for a job that wakes up, and pages may belong to an intent that is being put.
   */
  public boolean isUseless(String stray) throws IOException {
    if (!names.isDecision(stray)) {
      return !IntentNames.isPage(stray);
    }
    Optional<byte[]> text = objects.get(stray);
    return text.isPresent() && !decision(text.get(), stray).isForward();
  }

  /** Removes a lease that was written after its intent was gone. */
  public void removeLease(String id) throws IOException {
    delete(List.of(names.lease(id)));
  }

  /** Removes what a job left of an intent that another process has removed. */
  public void removeStrays(String id) throws IOException {
    delete(keysOf(id));
  }

  /** Removes the objects of an intent except the decision. The intent itself goes last. */
  public void removeUndecided(String id) throws IOException {
    List<String> keys = keysOf(id);
    keys.remove(names.decision(id));
    delete(keys);
  }

  /** Returns the keys of an intent that could bring it back if they were written once more. */
  public List<String> keysThatRevive(Intent intent) {
    return List.of(headKey(intent), names.replaces(intent.id()));
  }

  /** Returns true if the intent is still there. */
  public boolean isThere(Intent intent) throws IOException {
    return objects.isThere(headKey(intent));
  }

  private List<String> keysOf(String id) throws IOException {
    List<String> keys =
        new ArrayList<>(objects.under(names.all(id)).stream().map(ObjectMeta::key).toList());
    for (String own : List.of(names.head(id, false), names.head(id, true))) {
      if (keys.remove(own)) {
        keys.add(own);
      }
    }
    return keys;
  }

  public void delete(List<String> keys) throws IOException {
    objects.delete(keys);
  }
}
