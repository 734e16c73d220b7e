/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.checkpoints.facts.CheckOptions;
import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.CheckpointReader;
import io.penstock.checkpoints.repair.RepairPlan;
import io.penstock.checkpoints.repair.RepairRun;
import io.penstock.checkpoints.report.CheckpointReport;
import io.penstock.checkpoints.report.Written;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same checkpoint in a bucket and in a directory. */
class PlacesTest {
  @TempDir private Path directory;

  private final InMemoryStore store = new InMemoryStore("lake", new VirtualTime(Written.THEN));
  private List<CheckpointPlace> places;

  @BeforeEach
  void writeBoth() throws IOException {
    Written written = Written.batches(3, 3).withDeltas(4).text("commits/3", "");
    for (Map.Entry<String, byte[]> file : written.files.entrySet()) {
      put("jobs/cp/" + file.getKey(), file.getValue());
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    put("jobs/cp/", new byte[0]);
    put("jobs/cp2/offsets/9", new byte[0]);
    places = List.of(new BucketFiles(store, "jobs/cp"), new DirectoryFiles(directory));
  }

  private void put(String key, byte[] bytes) throws IOException {
    store.put(key, Body.ofBytes(bytes), Condition.NONE);
  }

  private static CheckpointReport check(CheckpointPlace files) throws IOException {
    return CheckpointReport.of(files.where(), reader(files).read(Written.NOW));
  }

  private static CheckpointReader reader(CheckpointPlace files) {
    CheckOptions options = new CheckOptions(20, true, Optional.empty());
    return new CheckpointReader(files, Runnable::run, options, (what, done, of) -> {});
  }

  @Test
  void theyGetTheSameFindings() throws IOException {
    for (CheckpointPlace place : places) {
      assertThat(Written.lines(check(place)))
          .as(place.where())
          .containsExactly("stops: The newest commit cannot be read. commits/3");
    }
  }

  @Test
  void theyAreRepairedTheSame() throws IOException {
    for (CheckpointPlace place : places) {
      CheckpointFacts facts = check(place).facts();
      RepairPlan plan =
          RepairPlan.of(
              facts,
              new RepairPlan.Consent(Duration.ofHours(1), false),
              moved -> reader(place).readWithout(moved, Written.NOW));
      new RepairRun(place, Written.NOW).run(plan.steps().get(0));
      assertThat(check(place).isHealthy()).as(place.where()).isTrue();
      assertThat(place.list("_penstock_repair/", n -> {}))
          .extracting(StoredFile::path)
          .containsExactly("_penstock_repair/20260301T120000Z/commits/3");
    }
  }

  @Test
  void aFileThatChangedIsNeitherReadNorCopiedNorDeleted() throws IOException {
    for (CheckpointPlace place : places) {
      StoredFile file =
          place.list("", n -> {}).stream()
              .filter(f -> f.path().equals("offsets/2"))
              .findFirst()
              .orElseThrow();
      byte[] other = "v1\n{}\n{\"other\":1}".getBytes(StandardCharsets.UTF_8);
      put("jobs/cp/offsets/2", other);
      Files.write(directory.resolve("offsets/2"), other);
      assertThatExceptionOfType(FileChangedException.class)
          .isThrownBy(() -> place.read(file, 0, 100));
      assertThatExceptionOfType(FileChangedException.class)
          .isThrownBy(() -> place.copy(file, "aside"));
      assertThatExceptionOfType(FileChangedException.class).isThrownBy(() -> place.delete(file));
      assertThat(place.list("", n -> {}))
          .extracting(StoredFile::path)
          .contains("offsets/2")
          .doesNotContain("aside");
    }
  }

  @Test
  void aLinkInADirectoryIsNotFollowed() throws IOException {
    Files.createSymbolicLink(directory.resolve("offsets/7"), directory.resolve("metadata"));
    Files.createSymbolicLink(directory.resolve("loop"), directory);
    assertThat(check(places.get(1)).facts().layout().offsets().newest()).contains(3L);
  }

  @Test
  void nothingIsAtAnEmptyPrefix() throws IOException {
    assertThat(new BucketFiles(store, "jobs/c").list("", n -> {})).isEmpty();
    assertThat(new DirectoryFiles(directory.resolve("none")).list("", n -> {})).isEmpty();
  }
}
