/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.UnfinishedCommits.Left;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.view.CommittedView;
import io.penstock.core.commit.view.CommittedView.Listed;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Overwrites that leave what they replace for readers that have listed it. */
class KeptOldTest {
  private static final String UNIQUE = "-0b3d7ad8-1111-2222-3333-444455556666";

  private CommitWorld world;

  @BeforeEach
  void fill() throws IOException {
    world = new CommitWorld();
    world.keepOld = Duration.ofHours(1);
    world.put("t/part-0", "old");
    world.put("t/p=1/part-1" + UNIQUE, "old");
    world.put("t/_SUCCESS", "");
    world.time.advance(Duration.ofMinutes(5));
  }

  private void overwrite(ObjectStore seen, String jobId) throws IOException {
    JobCommit commit = world.commit(seen, jobId);
    commit.replace("lake", "t/");
    commit.commit(world.upload(jobId, "t/new-" + jobId), SuccessMarker.JSON);
  }

  private void append(String jobId) throws IOException {
    world
        .commit(world.store, jobId)
        .commit(world.upload(jobId, "t/new-" + jobId), SuccessMarker.JSON);
  }

  /** What a reader with Penstock lists, and the contents. */
  private List<String> seen() throws IOException {
    return seen("t/");
  }

  private List<String> seen(String prefix) throws IOException {
    return new CommittedView(world.store, Runnable::run, world.time)
            .list(
                prefix,
                () -> {
                  List<ObjectMeta> all = world.store.list(ListRequest.flat(prefix)).objects();
                  return Optional.of(new Listed(all, all, true, false));
                })
            .orElseThrow()
            .stream()
            .map(ObjectMeta::key)
            .filter(key -> !key.contains("/_"))
            .toList();
  }

  private List<String> there() throws IOException {
    return List.copyOf(world.visible().keySet());
  }

  private UnfinishedCommits unfinished() {
    return new UnfinishedCommits(
        new StoreAccess(bucket -> world.store, Runnable::run, world.time, world.unansweredWrites),
        CommitWorld.TABLE);
  }

  @Test
  void theOldFilesStayUnseenUntilTheNextCommitAfterTheirTime() throws IOException {
    overwrite(world.store, "a");
    assertThat(there()).containsExactly("t/new-a", "t/p=1/part-1" + UNIQUE, "t/part-0");
    assertThat(seen()).containsExactly("t/new-a");
    assertThat(seen("t/p=1/")).isEmpty();
    long startNanos = world.time.nowNanos();
    append("b");
    assertThat(world.time.nowNanos()).isEqualTo(startNanos);
    assertThat(there()).hasSize(4);
    assertThat(seen()).containsExactly("t/new-a", "t/new-b");
    world.time.advance(Duration.ofMinutes(61));
    append("c");
    assertThat(there()).containsExactly("t/new-a", "t/new-b", "t/new-c");
    assertThat(world.intentObjects()).isEmpty();
    assertThat(world.hasMarker()).isTrue();
  }

  @Test
  void eachOverwriteLeavesItsOwn() throws IOException {
    overwrite(world.store, "a");
    world.time.advance(Duration.ofMinutes(40));
    overwrite(world.store, "b");
    assertThat(seen()).containsExactly("t/new-b");
    assertThat(there()).hasSize(4);
    assertThat(unfinished().left()).extracting(Left::objects).containsExactly(2, 1);
    world.time.advance(Duration.ofMinutes(40));
    append("c");
    assertThat(there()).containsExactly("t/new-a", "t/new-b", "t/new-c");
    assertThat(seen()).containsExactly("t/new-b", "t/new-c");
    world.time.advance(Duration.ofMinutes(40));
    append("d");
    assertThat(there()).containsExactly("t/new-b", "t/new-c", "t/new-d");
  }

  @Test
  void anOverwriteWithoutTheSettingDeletesAllAtOnce() throws IOException {
    overwrite(world.store, "a");
    world.keepOld = Duration.ZERO;
    overwrite(world.store, "b");
    assertThat(there()).containsExactly("t/new-b");
    assertThat(seen()).containsExactly("t/new-b");
    world.time.advance(Duration.ofHours(2));
    append("c");
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void aFileThatWasWrittenAgainUnderAnOldNameIsSeenAndStays() throws IOException {
    overwrite(world.store, "a");
    world.time.advance(Duration.ofMinutes(10));
    List<TaskFile> fixed = world.upload("rdd", "t/part-0");
    world.commit(world.store, "rdd").commit(fixed, SuccessMarker.JSON);
    assertThat(seen()).containsExactly("t/new-a", "t/part-0");
    world.time.advance(Duration.ofHours(2));
    append("c");
    assertThat(there()).containsExactly("t/new-a", "t/new-c", "t/part-0");
    assertThat(world.visible()).containsEntry("t/part-0", "rdd");
  }

  @Test
  void aDirectoryThatIsDeletedOrRenamedLosesThemFirst() throws IOException {
    for (String prefix : List.of("t/", "t/p=1/", "")) {
      fill();
      overwrite(world.store, "a");
      int[] count = new int[1];
      List<ObjectMeta> listed =
          new DirectoryGuard(
                  world.means(world.store, Direction.AUTO, CommitWorld.NO_LEASES),
                  started -> world.job("mv" + count[0]++))
              .list(
                  "lake",
                  prefix,
                  action -> Keys.under(world.store, prefix).forEach(action),
                  object -> object);
      assertThat(listed.stream().map(ObjectMeta::key).filter(key -> !key.contains("/_")))
          .as(prefix)
          .containsExactlyElementsOf(prefix.equals("t/p=1/") ? List.of() : List.of("t/new-a"));
      assertThat(world.intentObjects()).isEmpty();
    }
  }

  @Test
  void recoverTellsOfThemAndDeletesThem() throws IOException {
    overwrite(world.store, "a");
    assertThat(unfinished().find()).isEmpty();
    Left left = unfinished().left().get(0);
    assertThat(left.objects()).isEqualTo(2);
    assertThat(left.until()).isEqualTo(world.time.now().plus(Duration.ofHours(1)));
    unfinished().delete(left);
    assertThat(there()).containsExactly("t/new-a");
    assertThat(world.intentObjects()).isEmpty();
  }

  /**
   * At each request the driver dies; then others end its commit, delete what it leaves, and die.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDriverThatDiesAtAnyRequestLeavesTheOldOrTheNew(boolean acted) throws IOException {
    boolean hasDied = true;
    for (int death = 2; hasDied; death++) {
      boolean hasSweeperDied = true;
      for (int second = 1; hasSweeperDied; second++) {
        fill();
        CrashingStore seen = new CrashingStore(world.store, death, acted);
        try {
          overwrite(seen, "a");
        } catch (IOException e) {
          assertThat(seen.isDead()).isTrue();
        }
        hasDied = seen.isDead();
        assertThat(seen()).isIn(List.of("t/new-a"), List.of("t/p=1/part-1" + UNIQUE, "t/part-0"));
        world.time.advance(Duration.ofMinutes(5));
        CrashingStore sweeping = new CrashingStore(world.store, second, acted);
        world.time.advance(Duration.ofHours(2));
        try {
          world.commit(sweeping, "b").commit(world.upload("b", "t/new-b"), SuccessMarker.JSON);
        } catch (IOException e) {
          assertThat(sweeping.isDead()).isTrue();
        }
        hasSweeperDied = sweeping.isDead();
        assertThat(seen())
            .filteredOn(key -> !key.equals("t/new-b"))
            .as(death + " " + second + " " + seen.log() + sweeping.log())
            .isIn(List.of("t/new-a"), List.of("t/p=1/part-1" + UNIQUE, "t/part-0"));
        for (String job : List.of("c", "d")) {
          world.time.advance(Duration.ofHours(2));
          append(job);
        }
        List<String> rest = new java.util.ArrayList<>(there());
        rest.removeAll(List.of("t/new-b", "t/new-c", "t/new-d"));
        assertThat(rest)
            .as(death + " " + second + " " + seen.log() + sweeping.log())
            .isIn(List.of("t/new-a"), List.of("t/p=1/part-1" + UNIQUE, "t/part-0"));
        assertThat(world.intentObjects()).allMatch(key -> key.endsWith(".decision"));
      }
    }
  }

  @Test
  void whatCostsAnOverwriteThatLeavesItsOldFiles() throws IOException {
    CrashingStore seen = new CrashingStore(world.store, 0, false);
    overwrite(seen, "a");
    assertThat(seen.log()).filteredOn(line -> line.contains("DELETE_ALL t/part")).isEmpty();
    Map<String, String> visible = world.visible();
    assertThat(visible).hasSize(3);
  }
}
