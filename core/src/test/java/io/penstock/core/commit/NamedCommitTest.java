/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits with a name, of which the first makes its files visible, and no other one. */
class NamedCommitTest {
  private static final CommitId ID = CommitId.ofUser("orders-417");

  private CommitWorld world = new CommitWorld();

  private JobCommit commit(ObjectStore seen, String jobId, CommitId id) throws IOException {
    JobCommit commit = world.commit(seen, jobId);
    commit.name(id);
    return commit;
  }

  private void append(ObjectStore seen, String jobId, CommitId id) throws IOException {
    commit(seen, jobId, id)
        .commit(world.upload(jobId, "t/p=1/" + jobId, "t/p=2/" + jobId), SuccessMarker.JSON);
  }

  private Map<String, String> filesOf(String jobId) {
    return Map.of("t/p=1/" + jobId, jobId, "t/p=2/" + jobId, jobId);
  }

  private List<String> records() throws IOException {
    return world.store.list(ListRequest.flat("t/_penstock_done_")).objects().stream()
        .map(ObjectMeta::key)
        .toList();
  }

  @Test
  void theSecondOneEndsWithSuccessAndWritesNothing() throws IOException {
    append(world.store, "one", ID);
    String marker = world.marker();
    append(world.store, "two", ID);
    assertThat(world.visible()).isEqualTo(filesOf("one"));
    assertThat(world.marker()).isEqualTo(marker).contains("\"id\":\"orders-417\"");
    assertThat(world.intentObjects()).isEmpty();
    assertThat(world.pending()).isEmpty();
  }

  @Test
  void anotherNameOrNoneIsAnotherCommit() throws IOException {
    append(world.store, "one", ID);
    append(world.store, "two", CommitId.ofUser("orders-418"));
    append(world.store, "three", CommitId.ofBatch("q", 1, "orders-417"));
    world.commit(world.store, "four").commit(world.upload("four", "t/four"), SuccessMarker.JSON);
    assertThat(world.visible()).hasSize(7);
  }

  @Test
  void onePartitionByItsPathIsAnotherOutputThanTheTable() throws IOException {
    append(world.store, "one", ID);
    for (String partition : List.of("t/p=1", "t/p=2")) {
      JobCommit there =
          world.commit(bucket -> world.store, Output.of("lake", partition), "two" + partition);
      there.name(ID);
      there.commit(world.upload("two", partition + "/two"), SuccessMarker.JSON);
    }
    assertThat(world.visible()).hasSize(4);
    assertThat(records()).hasSize(3);
  }

  @Test
  void anOverwriteOfTheTableKeepsTheRecord() throws IOException {
    append(world.store, "one", ID);
    JobCommit overwrite = world.commit(world.store, "new");
    overwrite.replace("lake", "t/");
    overwrite.commit(world.upload("new", "t/new"), SuccessMarker.JSON);
    append(world.store, "two", ID);
    assertThat(world.visible()).isEqualTo(Map.of("t/new", "new"));
  }

  @Test
  void aNamedCommitAsksForTwoRequestsMore() throws IOException {
    CrashingStore plain = new CrashingStore(world.store, 0, false);
    world.commit(plain, "one").commit(world.upload("one", "t/one"), SuccessMarker.JSON);
    CrashingStore named = new CrashingStore(world.store, 0, false);
    commit(named, "two", ID).commit(world.upload("two", "t/two"), SuccessMarker.JSON);
    List<String> more = new ArrayList<>(named.log());
    more.removeIf(line -> !line.contains("_penstock_done_"));
    assertThat(more).hasSize(2);
    // The second commit deletes the _SUCCESS of the first.
    assertThat(named.log()).hasSize(plain.log().size() + 3);
  }

  @Test
  void theWritesOfTheLastBatchesAreKept() throws IOException {
    for (int batch = 0; batch < 45; batch++) {
      int writes = batch == 44 ? 30 : 1;
      for (int write = 0; write < writes; write++) {
        append(
            world.store,
            "job" + batch + "-" + write,
            CommitId.ofBatch("q", batch, "batch " + batch + ", write " + write));
      }
      assertThat(records().size()).isLessThan(52);
    }
    int before = world.visible().size();
    append(world.store, "again", CommitId.ofBatch("q", 44, "batch 44, write 0"));
    append(world.store, "again", CommitId.ofBatch("q", 44, "batch 44, write 29"));
    append(world.store, "again", CommitId.ofBatch("q", 35, "batch 35, write 0"));
    assertThat(world.visible()).hasSize(before);
  }

  @Test
  void theNewestNamesOfUsersAreKept() throws IOException {
    for (int i = 0; i < 560; i++) {
      world.time.advance(Duration.ofSeconds(1));
      world.put("t/_penstock_done_other_" + i, "");
      JobCommit commit = commit(world.store, "job" + i, CommitId.ofUser("id " + i));
      commit.commit(List.of(), SuccessMarker.JSON);
      world.store.delete("t/_penstock_done_other_" + i);
    }
    assertThat(records().size()).isBetween(500, 551);
    append(world.store, "again", CommitId.ofUser("id 559"));
    append(world.store, "again", CommitId.ofUser("id 70"));
    assertThat(world.visible()).isEmpty();
  }

  @Test
  void aBatchIsWrittenAgainIfAnyOfItsFilesIsGone() throws IOException {
    CommitId batch = CommitId.ofBatch("q", 7, "batch 7");
    append(world.store, "one", batch);
    append(world.store, "two", batch);
    assertThat(world.visible()).isEqualTo(filesOf("one"));
    world.store.delete("t/p=2/one");
    append(world.store, "three", batch);
    assertThat(world.visible().keySet()).containsExactly("t/p=1/one", "t/p=1/three", "t/p=2/three");
    append(world.store, "four", batch);
    assertThat(world.visible()).hasSize(3);
  }

  @Test
  void queriesThatHaveEndedLongAgoAreForgotten() throws IOException {
    for (int query = 0; query < 12; query++) {
      append(world.store, "job" + query, CommitId.ofBatch("q" + query, 0, "batch 0"));
    }
    append(world.store, "user", ID);
    world.time.advance(Duration.ofDays(31));
    append(world.store, "new", CommitId.ofBatch("new", 0, "batch 0"));
    assertThat(records()).hasSize(2);
    append(world.store, "again", ID);
    assertThat(world.visible()).doesNotContainKey("t/p=1/again");
  }

  @Test
  void anIntentThatCannotBeReadStopsOnlyNamesOfUsers() throws IOException {
    CrashingStore dying = new CrashingStore(world.store, 3, true);
    run(dying, "dead", false);
    for (ObjectMeta object : world.store.list(ListRequest.flat("t/_penstock_")).objects()) {
      world.put(object.key(), "");
    }
    world.time.advance(Duration.ofMinutes(5));
    append(world.store, "batch", CommitId.ofBatch("q", 0, "batch 0"));
    assertThat(world.visible()).containsKey("t/p=1/batch");
    assertThatThrownBy(() -> append(world.store, "user", CommitId.ofUser("other")))
        .hasMessageContaining("it is empty or cut short. Delete this object");
  }

  /** The events before the second driver comes. */
  private enum Between {
    NOTHING,
    RECOVERED_FORWARD,
    RECOVERED_BACK
  }

  /**
   * The driver dies before or after each request of its commit, and the job is run again, twice.
   */
  @ParameterizedTest
  @EnumSource(Between.class)
  void aDriverThatDiesAtAnyRequestIsRunAgainAndItsRowsAreThereOnce(Between between)
      throws IOException {
    for (boolean isOverwrite : new boolean[] {false, true}) {
      for (boolean acted : new boolean[] {false, true}) {
        boolean hasDied = true;
        for (int death = acted ? 1 : 2; hasDied; death++) {
          world = new CommitWorld();
          world.put("t/p=1/old", "old");
          CrashingStore seen = new CrashingStore(world.store, death, acted);
          run(seen, "one", isOverwrite);
          hasDied = seen.isDead();
          world.time.advance(Duration.ofMinutes(5));
          if (between != Between.NOTHING) {
            world.recover(
                world.store,
                between == Between.RECOVERED_FORWARD ? Direction.FORWARD : Direction.BACK);
          }
          run(world.store, "two", isOverwrite);
          run(world.store, "three", isOverwrite);
          Map<String, String> visible = world.visible();
          assertThat(visible.remove("t/p=1/old") == null).isEqualTo(isOverwrite);
          assertThat(visible).as("death at " + death).isIn(filesOf("one"), filesOf("two"));
          assertThat(world.pending()).isEmpty();
          assertThat(records()).hasSize(1);
        }
      }
    }
  }

  private void run(ObjectStore seen, String jobId, boolean isOverwrite) throws IOException {
    JobCommit commit = commit(seen, jobId, ID);
    if (isOverwrite) {
      commit.replace("lake", "t/");
    }
    try {
      commit.commit(world.upload(jobId, "t/p=1/" + jobId, "t/p=2/" + jobId), SuccessMarker.JSON);
    } catch (IOException e) {
      assertThat(seen).isInstanceOf(CrashingStore.class);
    }
  }

  /** The other commit ends while the listing of the fence is made, and the page is a mixture. */
  @Test
  void aListingThatLacksTheIntentAndTheRecordIsNoProof() throws IOException {
    append(world.store, "other", ID);
    StoreWrapper torn =
        new StoreWrapper(world.store) {
          @Override
          public ListPage list(ListRequest request) throws IOException {
            ListPage page = super.list(request);
            List<ObjectMeta> older = new ArrayList<>(page.objects());
            if (request.prefix().equals("t/_")) {
              older.removeIf(object -> object.key().contains("_penstock_done_"));
            }
            return new ListPage(older, page.groups(), page.nextToken(), page.servedAt());
          }
        };
    append(torn, "one", ID);
    assertThat(world.visible()).isEqualTo(filesOf("other"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void aBlankNameIsRefused(String text) {
    assertThatThrownBy(() -> CommitId.ofUser(text)).hasMessageContaining("not blank");
  }

  @Test
  void anyTextIsAName() throws IOException {
    for (String text : List.of("a\tb\n\r%0A", "\"\\\u0001", "ü/日本", "x".repeat(1000))) {
      append(world.store, "one", CommitId.ofUser(text));
      CrashingStore seen = new CrashingStore(world.store, 6, true);
      run(seen, "dead", true);
      world.time.advance(Duration.ofMinutes(5));
      append(world.store, "two", CommitId.ofUser(text));
      assertThat(world.visible().keySet()).noneMatch(key -> key.endsWith("two"));
    }
  }
}
