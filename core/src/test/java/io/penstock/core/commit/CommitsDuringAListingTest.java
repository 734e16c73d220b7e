/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
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
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a listing shows of commits between its first page and its last. The world's time stands
 * still, so all objects are of the same second.
 */
class CommitsDuringAListingTest {
  private final CommitWorld world = new CommitWorld();
  private final CommittedView view = new CommittedView(world.store, Runnable::run, world.time);
  private int passes;

  /** Work of jobs while a listing is under way. */
  private interface Jobs {
    void run() throws IOException;
  }

  @BeforeEach
  void fill() throws IOException {
    for (String key : List.of("t/b-old", "t/m-old", "t/y-old")) {
      world.put(key, "old");
    }
  }

  private void commit(ObjectStore store, SuccessMarker marker, String job, String... keys)
      throws IOException {
    world.commit(store, job).commit(world.upload(job, keys), marker);
  }

  private ObjectStore refusing(Operation refused, String end) {
    return new StoreWrapper(world.store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        if (operation == refused && key.endsWith(end)) {
          throw StoreException.of(Kind.INVALID_REQUEST, operation, key, "scripted.");
        }
        return call.run();
      }
    };
  }

  /** Leaves a commit whose files are all visible and that is not decided. */
  private void die(SuccessMarker marker, String job, String... keys) {
    ObjectStore dying = refusing(Operation.PUT, ".decision");
    assertThatThrownBy(() -> commit(dying, marker, job, keys)).isInstanceOf(IOException.class);
  }

  /** Lists the table page by page; after the key {@code m-old}, the jobs do their work. */
  private List<String> listed(Jobs jobs) throws IOException {
    return view.list("t/", () -> pages(jobs)).orElseThrow().stream()
        .map(object -> object.key().substring(2))
        .filter(name -> !name.matches("(.*/)?_[^/]*"))
        .toList();
  }

  private Optional<Listed> pages(Jobs jobs) throws IOException {
    passes++;
    List<ObjectMeta> all = new ArrayList<>();
    ListPage page = world.store.list(ListRequest.flat("t/"));
    List<ObjectMeta> first =
        page.objects().stream().filter(object -> object.key().compareTo("t/m-old") <= 0).toList();
    all.addAll(first);
    if (passes == 1) {
      jobs.run();
    }
    page = world.store.list(ListRequest.flat("t/"));
    page.objects().stream()
        .filter(object -> object.key().compareTo("t/m-old") > 0)
        .forEach(all::add);
    return Optional.of(new Listed(all, first, false, false));
  }

  @Test
  void aCommitThatBeginsAndEndsMeanwhileIsSeenAsAWhole() throws IOException {
    world.put("t/_SUCCESS", "");
    assertThat(listed(() -> commit(world.store, SuccessMarker.JSON, "A", "t/a-A", "t/z-A")))
        .containsExactly("a-A", "b-old", "m-old", "y-old", "z-A");
  }

  /** A look reads the name of {@code _SUCCESS} first; what it lacks may be there by its end. */
  @Test
  void twoLooksThatBothLackTheMarkerBesideAnEpochProveNothing() throws IOException {
    world.put("t/_penstock_table_epoch", "some job");
    int[] looks = new int[1];
    ObjectStore torn =
        new StoreWrapper(world.store) {
          @Override
          public ListPage list(ListRequest request) throws IOException {
            ListPage page = super.list(request);
            world.time.advance(Duration.ofMillis(200));
            return looks[0]++ > 0
                ? page
                : new ListPage(
                    unmarked(page.objects()), page.groups(), page.nextToken(), page.servedAt());
          }
        };
    commit(world.store, SuccessMarker.JSON, "A", "t/n-A");
    List<String> seen =
        new CommittedView(torn, Runnable::run, world.time)
                .list(
                    "t/",
                    () -> {
                      Listed listed =
                          pages(
                                  () ->
                                      commit(
                                          world.store, SuccessMarker.JSON, "B", "t/a-B", "t/z-B"))
                              .orElseThrow();
                      return Optional.of(
                          new Listed(listed.objects(), unmarked(listed.firstPage()), false, false));
                    })
                .orElseThrow()
                .stream()
                .map(object -> object.key().substring(2))
                .filter(name -> !name.startsWith("_"))
                .toList();
    assertThat(seen).containsExactly("a-B", "b-old", "m-old", "n-A", "y-old", "z-B");
  }

  private static List<ObjectMeta> unmarked(List<ObjectMeta> objects) {
    return objects.stream().filter(one -> !one.key().endsWith("_SUCCESS")).toList();
  }

  @Test
  void theFirstOneOfATableToo() throws IOException {
    assertThat(listed(() -> commit(world.store, SuccessMarker.JSON, "A", "t/a-A", "t/z-A")))
        .containsExactly("a-A", "b-old", "m-old", "y-old", "z-A");
  }

  @Test
  void theFirstOneOfATableIsSeenAsAWholeIfTheNextHasDeletedItsMarker() throws IOException {
    List<String> seen =
        listed(
            () -> {
              commit(world.store, SuccessMarker.JSON, "A", "t/a-A", "t/z-A");
              die(SuccessMarker.JSON, "B", "t/c-B", "t/x-B");
            });
    assertThat(seen).containsExactly("a-A", "b-old", "m-old", "y-old", "z-A");
  }

  @Test
  void emptyMarkersOfOneSecondDoNotHideACommit() throws IOException {
    commit(world.store, SuccessMarker.EMPTY, "O", "t/c-O");
    assertThat(listed(() -> commit(world.store, SuccessMarker.EMPTY, "A", "t/a-A", "t/z-A")))
        .containsExactly("a-A", "b-old", "c-O", "m-old", "y-old", "z-A");
  }

  @Test
  void aCommitToOnePartitionIsSeenAsAWhole() throws IOException {
    world.put("t/_SUCCESS", "");
    assertThat(
            listed(
                () ->
                    world
                        .commit(bucket -> world.store, Output.of("lake", "t/c=1"), "A")
                        .commit(world.upload("A", "t/c=1/x-A", "t/z-A"), SuccessMarker.JSON)))
        .containsExactly("b-old", "c=1/x-A", "m-old", "y-old", "z-A");
  }

  @Test
  void aCommitThatIsUndoneIsNotSeen() throws IOException {
    commit(world.store, SuccessMarker.JSON, "O", "t/c-O");
    ObjectStore failing = refusing(Operation.COMPLETE_UPLOAD, "t/z-A");
    assertThat(
            listed(
                () ->
                    assertThatThrownBy(
                            () -> commit(failing, SuccessMarker.JSON, "A", "t/n-A", "t/z-A"))
                        .isInstanceOf(IOException.class)))
        .containsExactly("b-old", "c-O", "m-old", "y-old");
  }

  @Test
  void anOpenCommitThatIsUndoneMeanwhileIsNotSeenEvenIfNothingTellsOfIt() throws IOException {
    die(SuccessMarker.NONE, "X", "t/a-X", "t/z-X");
    assertThat(listed(() -> world.recover(world.store, Direction.BACK)))
        .containsExactly("b-old", "m-old", "y-old");
  }

  @Test
  void aDecidedIntentThatStaysBesideNoMarkerHidesNoLaterCommit() throws IOException {
    world.put("t/_SUCCESS", "");
    commit(refusing(Operation.PUT, "t/_SUCCESS"), SuccessMarker.JSON, "X", "t/d-X");
    assertThat(world.hasMarker()).isFalse();

    List<String> seen =
        listed(
            () -> {
              commit(world.store, SuccessMarker.JSON, "A", "t/a-A", "t/z-A");
              die(SuccessMarker.JSON, "B", "t/c-B", "t/x-B");
            });

    assertThat(seen).containsExactly("a-A", "b-old", "d-X", "m-old", "y-old", "z-A");
  }

  @Test
  void anOverwriteIsSeenAsAWhole() throws IOException {
    world.put("t/_SUCCESS", "");
    assertThat(
            listed(
                () -> {
                  JobCommit overwrite = world.commit(world.store, "A");
                  overwrite.replace("lake", "t/");
                  overwrite.commit(world.upload("A", "t/a-A", "t/z-A"), SuccessMarker.JSON);
                }))
        .containsExactly("a-A", "z-A");
  }

  @Test
  void aTableToWhichNobodyHasCommittedForTwentyMinutesTakesNoLook() throws IOException {
    commit(world.store, SuccessMarker.JSON, "A", "t/a-A", "t/z-A");
    assertThat(looks()).isEqualTo(1);
    world.time.advance(Duration.ofMinutes(21));
    assertThat(looks()).isEqualTo(0);

    die(SuccessMarker.JSON, "B", "t/c-B");
    world.time.advance(Duration.ofMinutes(21));
    assertThat(looks()).isEqualTo(2);
  }

  /** Returns the number of looks that a listing of one page takes. */
  private int looks() throws IOException {
    int[] lists = new int[1];
    ObjectStore counting =
        new StoreWrapper(world.store) {
          @Override
          public ListPage list(ListRequest request) throws IOException {
            lists[0]++;
            return super.list(request);
          }
        };
    List<ObjectMeta> page = world.store.list(ListRequest.flat("t/")).objects();
    List<ObjectMeta> shown =
        new CommittedView(counting, Runnable::run, world.time)
            .list("t/", () -> Optional.of(new Listed(page, page, true, false)))
            .orElseThrow();
    assertThat(shown).extracting(ObjectMeta::key).doesNotContain("t/c-B").contains("t/z-A");
    return lists[0];
  }
}
