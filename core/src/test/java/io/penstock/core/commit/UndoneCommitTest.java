/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.history.CommitToUndo;
import io.penstock.core.commit.history.CommitUndoing.RefusedException;
import io.penstock.core.commit.history.PastCommit;
import io.penstock.core.commit.history.PastCommit.End;
import io.penstock.core.commit.history.TableHistory;
import io.penstock.core.commit.history.TableHistory.Known;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.commit.view.CommittedView;
import io.penstock.core.commit.view.CommittedView.Listed;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commits of a table in a bucket that keeps versions, and their undoing. */
class UndoneCommitTest extends UndoScene {

  @Test
  void theHistoryTellsWhatEachCommitDid() throws IOException {
    commit("first", TABLE, "t/p=1/first");
    commit("second", List.of(), "t/p=2/second", "t/p=3/second");
    commit("third", TABLE, "t/p=1/third");
    CrashingStore dying = new CrashingStore(world.store, 4, true);
    assertThatThrownBy(
            () ->
                world
                    .commit(dying, "dead")
                    .commit(world.upload("dead", "t/dead"), SuccessMarker.JSON))
        .isInstanceOf(IOException.class);
    Known known = known();
    assertThat(known.commits())
        .extracting(PastCommit::job)
        .containsExactly("first", "second", "third", "dead");
    assertThat(known.commits())
        .extracting(PastCommit::end)
        .containsExactly(End.DONE, End.DONE, End.DONE, End.OPEN);
    assertThat(known.commits())
        .extracting(PastCommit::isAlone)
        .containsExactly(true, false, true, false);
    PastCommit third = known.commits().get(2);
    Intent intent = known.intent(third).orElseThrow();
    assertThat(intent.job().application()).isEqualTo("app-third");
    assertThat(intent.files()).hasSize(1);
    Replaced replaced = known.replaced(third).orElseThrow();
    assertThat(replaced.old()).hasSize(3);
    world.time.advance(Duration.ofMinutes(5));
    world.recover(world.store, Direction.BACK);
    assertThat(past("dead").end()).isEqualTo(End.UNDONE);
  }

  @Test
  void anOverwriteIsTakenBackAndTheUndoToo() throws IOException {
    Map<String, String> good = badOverwrite();
    Map<String, String> bad = world.visible();
    undo("bad");
    assertThat(world.visible()).isEqualTo(good);
    assertThat(world.marker()).contains("x1.undo.bad");
    assertThat(world.intentObjects()).isEmpty();
    assertThat(past("x1.undo.bad").undoes()).contains("bad");
    undo("x1.undo.bad");
    assertThat(world.visible()).isEqualTo(bad);
    assertThat(past("x2.undo.x1").undoes()).contains("x1");
    undo("x2.undo.x1");
    assertThat(world.visible()).isEqualTo(good);
  }

  @Test
  void anAppendIsTakenBackAndOthersStay() throws IOException {
    commit("one", List.of(), "t/p=1/one");
    commit("two", List.of(), "t/p=1/two", "t/p=2/two");
    commit("three", List.of(), "t/p=1/three");
    undo("two");
    assertThat(world.visible()).isEqualTo(Map.of("t/p=1/one", "one", "t/p=1/three", "three"));
  }

  @Test
  void whatWasAddedSinceStays() throws IOException {
    Map<String, String> good = badOverwrite();
    commit("later", List.of(), "t/p=1/later", "t/p=9/later");
    undo("bad");
    Map<String, String> both = new TreeMap<>(good);
    both.putAll(Map.of("t/p=1/later", "later", "t/p=9/later", "later"));
    assertThat(world.visible()).isEqualTo(both);
  }

  @Test
  void whatLaterOverwritesHaveChangedIsRefusedOrSpared() throws IOException {
    badOverwrite();
    // Nothing is replaced in this partition: only the intent tells that it was an overwrite.
    commit("fix", List.of("t/p=2/"), "t/p=2/fix");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("bad"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("one of its directories has changed since: s3://lake/t/p=2/ (fix")
        .hasMessageContaining("the newest one first");
    assertThat(world.visible()).isEqualTo(before);
    CommitToUndo plan = undo(world.store, "bad", true);
    assertThat(plan.spared()).containsOnlyKeys("s3://lake/t/p=2/");
    assertThat(world.visible()).isEqualTo(Map.of("t/p=1/good", "good", "t/p=2/fix", "fix"));
  }

  @Test
  void laterOverwritesAreTakenBackFirst() throws IOException {
    Map<String, String> good = badOverwrite();
    commit("worse", TABLE, "t/p=1/worse");
    assertThatThrownBy(() -> undo("bad")).hasMessageContaining("worse has changed it since");
    undo("worse");
    undo("bad");
    assertThat(world.visible()).isEqualTo(good);
    assertThatThrownBy(() -> undo("bad")).hasMessageContaining("x2.undo.bad has changed it since");
    assertThatThrownBy(() -> undo("worse")).hasMessageContaining("has changed it since");
    undo("x2.undo.bad");
    undo("bad");
    assertThat(world.visible()).isEqualTo(good);
  }

  @Test
  void whatOthersHaveDoneToTheFilesIsSeen() throws IOException {
    badOverwrite();
    world.store.delete("t/p=1/bad");
    assertThatThrownBy(() -> undo("bad"))
        .hasMessageContaining("s3://lake/t/p=1/bad was deleted or written since");
    setBack();
    badOverwrite();
    world.put("t/p=2/good", "another");
    assertThatThrownBy(() -> undo("bad")).hasMessageContaining("s3://lake/t/p=2/good exists again");
    world.store.delete("t/p=2/good");
    assertThatThrownBy(() -> undo("bad"))
        .hasMessageContaining("s3://lake/t/p=2/good was written and deleted since");
    setBack();
    badOverwrite();
    removeForGood("t/p=1/good");
    assertThatThrownBy(() -> undo("bad"))
        .hasMessageContaining("no version of s3://lake/t/p=1/good is left");
  }

  private void setBack() {
    aBucketWithVersions();
  }

  private void removeForGood(String key) throws IOException {
    for (ObjectVersion version : world.store.listVersions(ListRequest.flat(key)).versions()) {
      if (!version.isMarker()) {
        world.store.deleteVersions(Map.of(version.key(), version.versionId()));
      }
    }
  }

  @Test
  void whatCannotBeTakenBackIsRefusedByName() throws IOException {
    commit("rdd", TABLE, "t/part-00000");
    commit("rdd2", TABLE, "t/part-00000");
    assertThatThrownBy(() -> undo("rdd2")).hasMessageContaining("as jobs of RDDs do");
    CrashingStore dying = new CrashingStore(world.store, 5, true);
    assertThatThrownBy(
            () ->
                world
                    .commit(dying, "dead")
                    .commit(world.upload("dead", "t/dead"), SuccessMarker.JSON))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> undo("dead")).hasMessageContaining("has not ended");
    world.time.advance(Duration.ofMinutes(5));
    world.recover(world.store, Direction.BACK);
    assertThatThrownBy(() -> undo("dead")).hasMessageContaining("has failed");
    for (ObjectVersion version :
        world.store.listVersions(ListRequest.flat("t/_penstock_intent_")).versions()) {
      if (version.key().endsWith("_rdd.replaces")) {
        world.store.deleteVersions(Map.of(version.key(), version.versionId()));
      }
    }
    assertThatThrownBy(() -> undo("rdd")).hasMessageContaining("has not kept the versions of rdd");
  }

  @Test
  void aBucketWithoutVersionsHasNoHistory() throws IOException {
    world = new CommitWorld();
    commit("one", TABLE, "t/p=1/one");
    assertThat(known().commits()).isEmpty();
    assertThat(known().hasVersions()).isFalse();
    world.store.keepVersions();
    commit("two", List.of(), "t/p=1/two");
    commit("three", TABLE, "t/p=1/three");
    assertThat(known().hasVersions()).isTrue();
    undo("three"); // also brings back what was written before the bucket kept versions
    assertThat(world.visible()).containsOnlyKeys("t/p=1/one", "t/p=1/two");
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"UNSUPPORTED", "ACCESS_DENIED"})
  void aStoreThatDoesNotListVersionsHasNoHistoryOrSaysWhy(Kind kind) throws IOException {
    StoreWrapper refusing =
        new StoreWrapper(world.store) {
          @Override
          public VersionsPage listVersions(ListRequest request) throws IOException {
            throw StoreException.of(kind, Operation.LIST, request.prefix(), "no.");
          }
        };
    TableHistory history = new TableHistory(bucket -> refusing, CommitWorld.TABLE, Runnable::run);
    if (kind == Kind.UNSUPPORTED) {
      assertThat(history.since(Instant.EPOCH).hasVersions()).isFalse();
    } else {
      assertThatThrownBy(() -> history.since(Instant.EPOCH))
          .hasMessageContaining("s3:ListBucketVersions");
    }
  }

  @Test
  void aJobThatCommitsMeanwhileStopsTheUndo() throws IOException {
    badOverwrite();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    commit("other", List.of("t/p=7/"), "t/p=7/other");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> run(world.store, plan))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("other has committed meanwhile. Nothing has changed");
    assertThat(world.visible()).isEqualTo(before);
    assertThat(world.intentObjects()).isEmpty();
  }

  /** Versions are suspended between the plan and the run: what is written now has no id. */
  @Test
  void aBucketThatKeepsNoVersionsAnyMoreStopsTheUndo() throws IOException {
    badOverwrite();
    Map<String, String> bad = world.visible();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    StoreWrapper suspended =
        new StoreWrapper(world.store) {
          @Override
          public VersionsPage listVersions(ListRequest request) throws IOException {
            VersionsPage page = super.listVersions(request);
            return new VersionsPage(
                page.versions().stream().map(UndoneCommitTest::withoutIdIfOfUndo).toList(),
                page.nextToken());
          }
        };
    assertThatThrownBy(() -> run(suspended, plan))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("the bucket does not keep versions now");
    assertThat(world.visible()).isEqualTo(bad);
    assertThat(world.intentObjects()).isEmpty();
  }

  private static ObjectVersion withoutIdIfOfUndo(ObjectVersion one) {
    return one.key().contains(".undo.")
        ? new ObjectVersion(
            one.key(),
            ObjectVersion.NULL,
            one.isMarker(),
            one.isLatest(),
            one.sizeBytes(),
            one.etag(),
            one.lastModified(),
            one.isArchived())
        : one;
  }

  @Test
  void aVersionThatVanishesMeanwhileUndoesTheUndo() throws IOException {
    badOverwrite();
    Map<String, String> bad = world.visible();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    removeForGood("t/p=2/good");
    assertThatThrownBy(() -> run(world.store, plan))
        .hasMessageContaining("1 of the 2 files no longer exist in the version that was replaced")
        .hasMessageContaining("s3://lake/t/p=2/good");
    assertThat(world.visible()).isEqualTo(bad);
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void markersThatStandOnEachOtherAreRemoved() throws IOException {
    Map<String, String> good = badOverwrite();
    world.store.delete("t/p=1/good"); // as a DELETE that is repeated
    undo("bad");
    assertThat(world.visible()).isEqualTo(good);
  }

  /** The process dies before or after each request; the undo is finished, undone, or run again. */
  @ParameterizedTest
  @EnumSource(Direction.class)
  void anUndoThatDiesAtAnyRequestIsWholeOrNothing(Direction wish) throws IOException {
    for (boolean acted : new boolean[] {false, true}) {
      boolean hasDied = true;
      int forward = 0;
      for (int death = acted ? 1 : 2; hasDied; death++) {
        setBack();
        Map<String, String> good = badOverwrite();
        Map<String, String> bad = world.visible();
        CrashingStore seen = new CrashingStore(world.store, death, acted);
        CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
        try {
          run(seen, plan);
        } catch (IOException e) {
          assertThat(seen.isDead()).isTrue();
        }
        hasDied = seen.isDead();
        String at = "death at " + death + ", " + acted;
        assertThat(whatReadersSee(world.store)).as(at).isIn(good.keySet(), bad.keySet());
        world.time.advance(Duration.ofMinutes(5));
        if (wish == Direction.AUTO) {
          // The next job ends it.
          commit("next", List.of(), "t/p=9/next");
          Map<String, String> visible = world.visible();
          assertThat(visible.remove("t/p=9/next")).isNotNull();
          assertThat(visible).as(at).isIn(good, bad);
        } else {
          world.recover(world.store, wish);
          assertThat(world.visible()).as(at).isIn(good, bad);
        }
        forward += world.visible().containsKey("t/p=2/good") ? 1 : 0;
        assertThat(world.hasMarker()).isTrue();
        if (!world.visible().containsKey("t/p=2/good")) {
          undo("bad");
        }
        assertThat(world.visible()).containsAllEntriesOf(good);
      }
      assertThat(forward).isGreaterThan(wish == Direction.BACK ? 2 : 6);
    }
  }

  /** Readers list the table before each request of the undo. */
  @Test
  void readersSeeTheWholeUndoOrNothing() throws IOException {
    Map<String, String> good = badOverwrite();
    Map<String, String> bad = world.visible();
    List<Set<String>> seen = new ArrayList<>();
    StoreWrapper watched =
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            seen.add(whatReadersSee(world.store));
            return super.around(operation, key, sentBytes, call);
          }
        };
    undo(watched, "bad", false);
    seen.add(whatReadersSee(world.store));
    assertThat(new TreeSet<>(seen.stream().map(Object::toString).toList()))
        .containsExactlyInAnyOrder(
            new TreeSet<>(good.keySet()).toString(), new TreeSet<>(bad.keySet()).toString());
  }

  private Set<String> whatReadersSee(ObjectStore store) throws IOException {
    CommittedView view = new CommittedView(store, Runnable::run, world.time);
    Set<String> keys = new TreeSet<>();
    view
        .list(
            "t/",
            () -> {
              ListPage page = store.list(ListRequest.flat("t/"));
              return Optional.of(new Listed(page.objects(), page.objects(), true, false));
            })
        .orElseThrow()
        .stream()
        .map(ObjectMeta::key)
        .filter(key -> !key.substring(key.lastIndexOf('/') + 1).startsWith("_"))
        .forEach(keys::add);
    return keys;
  }

  /**
   * The process stands still in the middle of its undo. Another one takes it for dead and ends it;
   * somebody runs the undo again. When the first one wakes up, it leaves the table as it is.
   */
  @Test
  void anUndoThatWakesUpLeavesWhatALaterOneHasRestored() throws IOException {
    for (Direction wish : List.of(Direction.BACK, Direction.FORWARD)) {
      boolean hasStood = true;
      for (int at = 1; hasStood; at++) {
        setBack();
        Map<String, String> good = badOverwrite();
        CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
        Standing standing = new Standing(world.store, at, wish);
        try {
          run(standing, plan);
        } catch (IOException e) {
          assertThat(standing.hasStood).isTrue();
        }
        hasStood = standing.hasStood;
        assertThat(world.visible()).as("stood at %d, %s", at, wish).isEqualTo(good);
        assertThat(world.hasMarker()).isTrue();
      }
    }
  }

  private final class Standing extends StoreWrapper {
    private final int at;
    private final Direction wish;
    private int count;
    private boolean hasStood;

    Standing(ObjectStore inner, int at, Direction wish) {
      super(inner);
      this.at = at;
      this.wish = wish;
    }

    @Override
    protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
        throws IOException {
      if (++count == at) {
        hasStood = true;
        world.time.advance(Duration.ofMinutes(20));
        world.recover(world.store, wish);
        if (!world.visible().containsKey("t/p=2/good")) {
          undoing(world.store)
              .run(
                  undoing(world.store).plan(past("bad"), false),
                  (id, started) -> new CommittingJob(id, "app", "user", "host", 8, started),
                  "y");
        }
        world.time.advance(Duration.ofMinutes(1));
      }
      return super.around(operation, key, sentBytes, call);
    }
  }

  /**
   * The process of an overwrite stands still. Another one ends its commit, and a third one takes it
   * back. When the first one wakes up, it deletes nothing.
   */
  @Test
  void anOverwriteThatWakesUpDeletesNothingThatWasRestored() throws IOException {
    boolean hasStood = true;
    int undone = 0;
    for (int at = 1; hasStood; at++) {
      setBack();
      commit("good", TABLE, "t/p=1/good", "t/p=2/good");
      Waking waking = new Waking(world.store, at);
      JobCommit commit = world.commit(waking, "bad");
      commit.replace("lake", "t/");
      try {
        commit.commit(world.upload("bad", "t/p=1/bad"), SuccessMarker.JSON);
      } catch (IOException e) {
        assertThat(waking.hasStood).isTrue();
      }
      hasStood = waking.hasStood;
      Map<String, String> visible = world.visible();
      if (waking.hasUndone) {
        undone++;
        assertThat(visible).as("stood at %d", at).containsOnlyKeys("t/p=1/good", "t/p=2/good");
      } else {
        assertThat(visible).isIn(Map.of("t/p=1/bad", "bad"), waking.before);
      }
    }
    assertThat(undone).isGreaterThan(2);
  }

  /** The same between two requests that delete 1,000 objects each. */
  @Test
  void anOverwriteThatWakesUpBetweenDeletionsSendsNoFurtherOne() throws IOException {
    String[] keys =
        IntStream.range(0, 1500).mapToObj("t/p=1/good%04d"::formatted).toArray(String[]::new);
    commit("good", TABLE, keys);
    List<String> sent = new ArrayList<>();
    StoreWrapper standing =
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            T answer = super.around(operation, key, sentBytes, call);
            if (operation == Operation.DELETE_ALL && key.contains("good")) {
              sent.add(key);
              world.time.advance(Duration.ofMinutes(20));
              world.recover(world.store, Direction.AUTO);
              assertThatThrownBy(() -> undo("bad")).hasMessageContaining("try again after 2026-");
              world.time.advance(Duration.ofMinutes(20));
              undo("bad");
            }
            return answer;
          }
        };
    JobCommit commit = world.commit(standing, "bad");
    commit.replace("lake", "t/");
    commit.commit(world.upload("bad", "t/p=1/bad"), SuccessMarker.JSON);
    assertThat(sent).hasSize(1);
    assertThat(Keys.under(world.store, "t/p=1/").size()).isEqualTo(1500);
  }

  private final class Waking extends StoreWrapper {
    private final int at;
    private int count;
    private boolean hasStood;
    private boolean hasUndone;
    private Map<String, String> before = Map.of();

    Waking(ObjectStore inner, int at) {
      super(inner);
      this.at = at;
    }

    @Override
    protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
        throws IOException {
      boolean isDeletion = operation == Operation.DELETE_ALL && key.contains("good");
      if (++count == at && !isDeletion) { // one that is on its way comes late anyhow
        T answer = super.around(operation, key, sentBytes, call);
        hasStood = true;
        world.time.advance(Duration.ofMinutes(20));
        before = world.visible();
        world.recover(world.store, Direction.AUTO);
        world.time.advance(Duration.ofMinutes(20));
        if (known().commits().stream()
            .anyMatch(one -> one.job().equals("bad") && one.end() == End.DONE)) {
          undo("bad");
          hasUndone = true;
        }
        return answer;
      }
      hasStood |= count == at;
      return super.around(operation, key, sentBytes, call);
    }
  }

  private void commitNamed(String jobId) throws IOException {
    world.time.advance(Duration.ofMinutes(1));
    JobCommit commit = world.commit(world.store, jobId);
    commit.name(CommitId.ofUser("orders-417"));
    commit.commit(world.upload(jobId, "t/" + jobId), SuccessMarker.JSON);
    world.time.advance(Duration.ofMinutes(1));
  }

  @Test
  void aCommitWithANameThatIsTakenBackMayHappenAgain() throws IOException {
    commitNamed("one");
    commitNamed("two");
    assertThat(world.visible()).containsOnlyKeys("t/one");
    undo("one");
    undo("x1.undo.one"); // the record is back, too
    commitNamed("three");
    assertThat(world.visible()).containsOnlyKeys("t/one");
    undo("one");
    commitNamed("four");
    assertThat(world.visible()).containsOnlyKeys("t/four");
  }

  @Test
  void aCommitOfOnePartitionByItsPathIsTakenBackThere() throws IOException {
    commit("good", TABLE, "t/p=1/good", "t/p=2/good");
    world.time.advance(Duration.ofMinutes(1));
    JobCommit commit = world.commit(bucket -> world.store, Output.of("lake", "t/p=1"), "bad");
    commit.replace("lake", "t/p=1/");
    commit.commit(world.upload("bad", "t/p=1/bad"), SuccessMarker.JSON);
    world.time.advance(Duration.ofMinutes(1));
    undo("bad");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/good", "t/p=2/good");
  }
}
