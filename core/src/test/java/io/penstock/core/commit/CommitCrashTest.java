/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A driver dies before, in or after each single request of its commit. Whoever brings the commit to
 * its end dies at each of its own requests too, and a third one ends it.
 */
@Execution(ExecutionMode.CONCURRENT)
class CommitCrashTest {
  /**
   * Where ETags tell nothing, every third death is played; with {@code -Dpenstock.test.long=true},
   * as .ci/run has it, each one.
   */
  private static final int STEP = Boolean.getBoolean("penstock.test.long") ? 1 : 3;

  private static final Map<String, String> OLD =
      Map.of("t/p=1/a", "old", "t/p=2/b", "old", "t/part-0", "old");

  /** A job, and what readers see once it has committed. */
  private enum Scenario {
    APPEND("t/p=1/new-0-job", "t/p=2/new-1-job", "t/p=3/new-2-job"),
    OVERWRITE("t/p=1/new-0-job", "t/p=2/new-1-job", "t/p=3/new-2-job"),
    DYNAMIC("t/p=1/new-0-job", "t/p=3/new-1-job"),
    TO_NOTHING(),
    /** Names as Hadoop's output formats give them, none of which is there. */
    FIXED_NAMES("t/part-1", "t/part-2"),
    FIRST("t/p=1/new-0-job", "t/p=2/new-1-job");

    private final String keys;

    Scenario(String... keys) {
      this.keys = String.join(" ", keys);
    }

    String[] keys() {
      return keys.isEmpty() ? new String[0] : keys.split(" ", -1);
    }

    Map<String, String> before() {
      return this == FIRST ? Map.of() : OLD;
    }

    Map<String, String> after() {
      Map<String, String> after = new TreeMap<>(before());
      if (this == OVERWRITE || this == TO_NOTHING) {
        after.clear();
      }
      if (this == DYNAMIC) {
        after.remove("t/p=1/a");
      }
      Stream.of(keys()).forEach(key -> after.put(key, "job"));
      return after;
    }

    void replace(JobCommit commit) {
      if (this == OVERWRITE || this == TO_NOTHING) {
        commit.replace("lake", "t/");
      }
      if (this == DYNAMIC) {
        commit.replace("lake", "t/p=1/");
        commit.replace("lake", "t/p=3/");
      }
    }
  }

  /** The way in which the files of the job travel. */
  private enum Way {
    UPLOADS,
    INLINE,
    MIXED;

    /** Names that other jobs use too are always uploads. */
    boolean isInline(String key) {
      return key.endsWith("-job") && (this == INLINE || (this == MIXED && key.contains("new-0")));
    }
  }

  /** The same world for each death. */
  private static final class Run {
    final CommitWorld world;
    final Upload foreign;
    final Scenario scenario;
    final Way way;
    final String what;

    Run(Scenario scenario, Way way, boolean isEncrypted, String what) throws IOException {
      this.way = way;
      this.world = new CommitWorld(isEncrypted);
      this.scenario = scenario;
      this.what = scenario + ", " + way + ", encrypted: " + isEncrypted + ", " + what;
      for (Map.Entry<String, String> old : scenario.before().entrySet()) {
        world.put(old.getKey(), old.getValue());
      }
      if (scenario != Scenario.FIRST) {
        world.put("t/_SUCCESS", "");
      }
      foreign = world.store.createUpload("t/p=1/foreign");
      world.time.advance(Duration.ofHours(1));
    }

    /** Returns what it asked. */
    List<String> commit(int deathAt, boolean acted) throws IOException {
      CrashingStore seen = new CrashingStore(world.front, deathAt, acted);
      JobCommit commit = world.commit(seen, "job");
      scenario.replace(commit);
      List<TaskFile> uploads = world.write("job", way::isInline, scenario.keys());
      try {
        commit.commit(uploads, SuccessMarker.JSON);
        assertThat(deathAt == 0 || seen.log().size() <= deathAt).as(what).isTrue();
      } catch (IOException e) {
        assertThat(seen.isDead()).as(what + ": " + e).isTrue();
      }
      return seen.log();
    }

    boolean recover(Direction wish, int deathAt, boolean acted) throws IOException {
      CrashingStore seen = new CrashingStore(world.front, deathAt, acted);
      world.time.advance(Duration.ofMinutes(5));
      try {
        world.recover(seen, wish);
      } catch (IOException e) {
        assertThat(seen.isDead()).as(what + ": " + e).isTrue();
      }
      return seen.isDead();
    }

    void check(String step) throws IOException {
      String name = what + ", " + step;
      Map<String, String> visible = world.visible();
      assertThat(visible).as(name).isIn(scenario.before(), scenario.after());
      boolean isBefore = visible.equals(scenario.before());
      if (!isBefore || scenario != Scenario.FIRST) {
        assertThat(world.hasMarker()).as(name).isTrue();
      }
      assertThat(world.intentObjects()).as(name).allMatch(key -> key.endsWith(".decision"));
      assertThat(world.pending()).as(name).containsExactly(foreign);
    }
  }

  private static List<Arguments> ways() {
    return Stream.of(Scenario.values())
        .flatMap(scenario -> Stream.of(Way.values()).map(way -> Arguments.of(scenario, way)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aCommitThatNobodyDisturbs(Scenario scenario, Way way) throws IOException {
    Run run = new Run(scenario, way, false, "undisturbed");
    run.commit(0, false);
    assertThat(run.world.visible()).isEqualTo(scenario.after());
    assertThat(run.world.intentObjects()).isEmpty();
    run.check("end");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aDriverThatDiesAtAnyRequestLeavesTheOldOrTheNew(Scenario scenario, Way way)
      throws IOException {
    dieAtAnyRequest(scenario, way, false);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theSameHoldsWhereEtagsTellNothing(Scenario scenario, Way way) throws IOException {
    dieAtAnyRequest(scenario, way, true);
  }

  private static void dieAtAnyRequest(Scenario scenario, Way way, boolean isEncrypted)
      throws IOException {
    int requests = new Run(scenario, way, isEncrypted, "count").commit(0, false).size();
    for (Direction wish : Direction.values()) {
      for (boolean acted : new boolean[] {false, true}) {
        for (int death = acted ? 1 : 2; death <= requests; death += isEncrypted ? STEP : 1) {
          String what = "death at %d of %d, acted: %s, %s".formatted(death, requests, acted, wish);
          boolean hasDied = true;
          for (int second = 0; hasDied || second == 1; second++) {
            for (boolean secondActed : new boolean[] {false, true}) {
              Run run = new Run(scenario, way, isEncrypted, what);
              List<String> asked = new ArrayList<>(run.commit(death, acted));
              hasDied = run.recover(wish, second, secondActed);
              run.recover(wish, 0, false);
              run.check("then at %d, acted: %s, %s".formatted(second, secondActed, asked));
            }
          }
        }
      }
    }
  }
}
