/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.lease.Leases.Renewal;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commits of jobs whose small files the driver puts. */
class InlineCommitTest {
  private final CommitWorld world = new CommitWorld();
  private final Calls calls = new Calls(world.store);

  /** A step that the test runs before or after a request. */
  @FunctionalInterface
  private interface Event {
    void run() throws IOException;
  }

  /** A store that writes down its requests, and to which something happens at some of them. */
  private static final class Calls extends StoreWrapper {
    final List<String> log = new ArrayList<>();
    final Map<String, Event> before = new TreeMap<>();
    final Map<String, Event> after = new TreeMap<>();

    private boolean isDead;

    void dieAt(String name) {
      before.put(name, () -> isDead = true);
    }

    Calls(ObjectStore inner) {
      super(inner);
    }

    @Override
    protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
        throws IOException {
      String name = operation + " " + key.replaceAll("_penstock_intent_.*[.]", "");
      log.add(name);
      run(before.remove(name));
      if (isDead) {
        throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "the process is dead.");
      }
      T answer = call.run();
      run(after.remove(name));
      return answer;
    }

    private static void run(Event event) throws IOException {
      if (event != null) {
        event.run();
      }
    }
  }

  @BeforeEach
  void setUp() throws IOException {
    world.put("t/old", "old");
    world.time.advance(Duration.ofHours(1));
  }

  private ObjectStore watched() {
    return LayeredStores.observed(calls, world.time, world.unansweredWrites);
  }

  private void commit(String... keys) throws IOException {
    world
        .commit(watched(), "job")
        .commit(world.write("job", key -> !key.contains("large"), keys), SuccessMarker.NONE);
  }

  private static StoreException lost(String key) {
    return StoreException.of(Kind.CONNECTION_LOST, Operation.PUT, key, "scripted.");
  }

  @Test
  void aSmallFileIsOneRequestBesidesThoseOfTheCommit() throws IOException {
    commit("t/a-job", "t/b-job", "t/c-job");
    assertThat(calls.log)
        .containsExactly(
            "PUT t/append",
            "LIST t/_",
            "PUT t/replaces",
            "PUT t/a-job",
            "PUT t/b-job",
            "PUT t/c-job",
            "PUT t/decision",
            "LIST t/",
            "DELETE_ALL t/replaces",
            "DELETE t/decision");
    assertThat(world.visible().keySet()).containsExactly("t/a-job", "t/b-job", "t/c-job", "t/old");
  }

  @Test
  void smallFilesAreThereBeforeTheFirstUploadIsCompleted() throws IOException {
    commit("t/1-large-job", "t/2-job");
    assertThat(calls.log).containsSubsequence("PUT t/2-job", "COMPLETE_UPLOAD t/1-large-job");
  }

  @Test
  void aJobThatWakesUpAfterItWasUndoneWritesNothing() throws IOException {
    calls.before.put(
        "PUT t/b-job",
        () -> {
          world.time.advance(Duration.ofMinutes(3));
          world.recover(world.store, Direction.AUTO);
        });
    assertThatThrownBy(() -> commit("t/a-job", "t/b-job")).isInstanceOf(IOException.class);
    assertThat(world.visible().keySet()).containsExactly("t/old");
  }

  @Test
  void aJobIsUndoneOnlyWhenItsPutsCanArriveNoMore() throws IOException {
    calls.before.put("PUT t/a-job", () -> arriveLate("t/a-job", Duration.ofSeconds(9)));
    assertThatThrownBy(() -> commit("t/a-job")).isInstanceOf(StoreException.class);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(world.visible().keySet()).containsExactly("t/old");
  }

  private void arriveLate(String key, Duration delay) throws IOException {
    Body sent = Body.ofBytes(new byte[] {'j', 'o', 'b'});
    world.time.after(delay, () -> world.store.put(key, sent, Condition.NONE));
    throw lost(key);
  }

  @Test
  void anOverwriteWaitsForThePutsOfTheJobBefore() throws IOException {
    calls.before.put(
        "PUT t/a-job",
        () -> {
          try {
            watched().put("t/a-job", Body.empty(), Condition.NONE);
          } catch (StoreException e) {
            assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
          }
        });
    calls.after.put("PUT t/a-job", () -> arriveLate("t/a-job", Duration.ofSeconds(9)));
    commit("t/a-job");
    assertThat(world.intentObjects()).singleElement().asString().endsWith(".settling");

    JobCommit next = world.commit(world.store, "next");
    next.replace("lake", "t/");
    next.commit(world.write("next", key -> true, "t/b-next"), SuccessMarker.NONE);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(world.visible().keySet()).containsExactly("t/b-next");
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void whoUndoesAJobThatHasJustWokenUpWaitsUntilItIsStill() throws IOException {
    world.time.advance(Duration.ofMinutes(1));
    calls.dieAt("PUT t/b-job");
    assertThatThrownBy(() -> commit("t/a-job", "t/b-job")).isInstanceOf(StoreException.class);
    assertThat(world.visible().keySet()).containsExactly("t/a-job", "t/old");
    String intent = world.intentObjects().get(0).replace(".append", "");
    world.time.advance(Duration.ofMinutes(5));

    Calls seen = new Calls(world.store);
    seen.before.put(
        "PUT t/decision",
        () -> {
          // It wakes up, shows that it lives, puts a file, and dies.
          world.put(intent + ".lease", "");
          world.time.after(Duration.ofSeconds(20), () -> world.put("t/b-job", "job"));
        });
    world.recover(seen, Direction.AUTO);
    assertThat(world.visible().keySet()).containsExactly("t/old");
  }

  @Test
  void aJobThatWasFinishedWithoutItsSmallFilesSaysSo() throws IOException {
    calls.before.put(
        "PUT t/b-job",
        () -> {
          world.time.advance(Duration.ofMinutes(3));
          UnfinishedCommits commits =
              new UnfinishedCommits(
                  new StoreAccess(
                      bucket -> world.store,
                      Runnable::run,
                      world.time,
                      new UnansweredWrites(world.time)),
                  CommitWorld.TABLE);
          var ended = commits.settle(commits.find().get(0), Direction.FORWARD, true);
          assertThat(ended.leftOut()).isEqualTo(2);
        });
    assertThatThrownBy(() -> commit("t/a-job", "t/b-job", "t/c-job"))
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .anySatisfy(
                        more -> assertThat(more).hasMessageContaining("without 2 of its 3 files")));
    assertThat(world.visible().keySet()).containsExactly("t/a-job", "t/old");
  }

  @Test
  void theRestOfABodyIsNotSentAfterAPause() throws IOException {
    LeaseClock lease = new LeaseClock(world.time);
    try (InputStream body = lease.guarded(Body.ofBytes(new byte[10])).open()) {
      assertThat(body.read()).isZero();
      world.time.advance(LeaseClock.FRESH);
      assertThatThrownBy(body::read).hasMessageContaining("no lease of this commit");
      assertThatThrownBy(() -> body.read(new byte[3])).hasMessageContaining("no lease");
      lease.renewed(lease.now());
      lease.close();
      assertThatThrownBy(body::read).hasMessageContaining("writes no more files");
    }
  }

  /** A cut attempt may still have a thread; it must not write a file that was deleted. */
  @Test
  void noBodyIsSentAfterTheJobHasUndoneItsCommit() throws IOException {
    List<Body> bodies = new ArrayList<>();
    ObjectStore store =
        new StoreWrapper(watched()) {
          @Override
          public String put(String key, Body body, Condition condition) throws IOException {
            if (key.equals("t/b-job")) {
              bodies.add(body);
              throw StoreException.of(Kind.ACCESS_DENIED, Operation.PUT, key, "scripted.");
            }
            return inner.put(key, body, condition);
          }
        };
    List<TaskFile> files = world.write("job", key -> true, "t/a-job", "t/b-job");
    assertThatThrownBy(() -> world.commit(store, "job").commit(files, SuccessMarker.NONE))
        .hasMessageContaining("scripted");
    assertThat(bodies).hasSize(1);
    assertThatThrownBy(() -> bodies.get(0).open()).hasMessageContaining("writes no more files");
    assertThat(world.visible().keySet()).containsExactly("t/old");
  }

  @Test
  void aJobThatUndoesItsOwnCommitKeepsItsLease() throws IOException {
    AtomicReference<Renewal> renewal = new AtomicReference<>();
    Leases byHand =
        run -> {
          renewal.set(run);
          return () -> true;
        };
    calls.before.put(
        "PUT t/b-job",
        () -> {
          throw StoreException.of(Kind.ACCESS_DENIED, Operation.PUT, "t/b-job", "scripted.");
        });
    calls.after.put(
        "PUT t/decision",
        () -> {
          for (int i = 0; i < 3; i++) {
            world.time.advance(Duration.ofSeconds(15));
            renewal.get().run();
          }
        });
    assertThatThrownBy(
            () ->
                world
                    .commit(watched(), "job", Direction.AUTO, byHand)
                    .commit(
                        world.write("job", key -> true, "t/a-job", "t/b-job"), SuccessMarker.NONE))
        .hasMessageContaining("scripted");
    assertThat(calls.log.stream().filter("PUT t/lease"::equals)).hasSize(3);
    assertThat(world.visible().keySet()).containsExactly("t/old");
  }

  @Test
  void aDeadJobIsFinishedOnceItsSmallFilesAreThere() throws IOException {
    calls.dieAt("COMPLETE_UPLOAD t/2-large-job");
    assertThatThrownBy(() -> commit("t/1-job", "t/2-large-job")).isInstanceOf(StoreException.class);
    world.time.advance(Duration.ofMinutes(5));
    world.recover(world.store, Direction.FORWARD);
    assertThat(world.visible().keySet()).containsExactly("t/1-job", "t/2-large-job", "t/old");
  }
}
