/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.report;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.Layout;
import io.penstock.checkpoints.log.StoreId;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.state.OperatorInfo;
import io.penstock.checkpoints.state.StoreFiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Calculates the numbers about a checkpoint that its tables show. */
public final class CheckpointSummary {
  private CheckpointSummary() {}

  /**
   * The files of one part of a checkpoint.
   *
   * @param newest the newest batch or version, if the part has any
   */
  public record Area(String name, long files, long sizeBytes, Optional<Long> newest) {}

  /**
   * The numbers about a stateful operator.
   *
   * @param oldest the version of the partition that is furthest behind
   * @param newest the version of the partition that is furthest ahead
   * @param stores that there should be: those of all partitions
   * @param loadable the number of stores that can be loaded at the version that Spark would load
   */
  public record Operator(
      long number,
      String name,
      long partitions,
      long stores,
      String provider,
      long oldest,
      long newest,
      long loadable,
      long files,
      long sizeBytes) {}

  /**
   * The files that the newest committed batch wrote.
   *
   * @param state the number of files that bring stores to the batch's version
   * @param checksums the number of Spark's checksums of these files
   */
  public record BatchFiles(long batch, long state, long checksums, long sizeBytes) {
    /** Returns the number of all these files, including the offsets and the commit. */
    public long count() {
      return 2 + state + checksums;
    }
  }

  /** Returns the files of the newest committed batch, if there is one. */
  public static Optional<BatchFiles> newestBatch(CheckpointFacts facts) {
    Layout layout = facts.layout();
    Optional<Long> batch = layout.commits().newest();
    if (batch.isEmpty()) {
      return Optional.empty();
    }
    List<StoredFile> files = new ArrayList<>();
    layout
        .stores()
        .values()
        .forEach(store -> store.at(batch.get() + 1).forEach(file -> files.add(file.file())));
    List<StoredFile> sides = files.stream().flatMap(file -> layout.side(file).stream()).toList();
    long sizeBytes = sizeOf(files) + sizeOf(sides);
    sizeBytes += layout.offsets().file(batch.get()).map(StoredFile::sizeBytes).orElse(0L);
    sizeBytes += layout.commits().file(batch.get()).map(StoredFile::sizeBytes).orElse(0L);
    return Optional.of(new BatchFiles(batch.get(), files.size(), sides.size(), sizeBytes));
  }

  public static List<Area> areas(CheckpointFacts facts) {
    Layout layout = facts.layout();
    Map<String, List<StoredFile>> byPlace = new TreeMap<>();
    for (StoredFile file : layout.all()) {
      int slash = file.path().indexOf('/');
      String place = slash < 0 ? "(top)" : file.path().substring(0, slash);
      if (layout.isHiddenSide(file)) {
        place = "(hidden .crc)"; // Hadoop's own on local files, of all parts together
      }
      byPlace.computeIfAbsent(place, name -> new ArrayList<>()).add(file);
    }
    List<Area> areas = new ArrayList<>();
    byPlace.forEach((place, files) -> areas.add(area(layout, place, files)));
    return areas;
  }

  private static Area area(Layout layout, String place, Collection<StoredFile> files) {
    Optional<Long> newest =
        switch (place) {
          case "offsets" -> layout.offsets().newest();
          case "commits" -> layout.commits().newest();
          default -> Optional.empty();
        };
    return new Area(place, files.size(), sizeOf(files), newest);
  }

  public static long sizeOf(Collection<StoredFile> files) {
    return files.stream().mapToLong(StoredFile::sizeBytes).sum();
  }

  /** Returns the time of the last write to any file. */
  public static Optional<Instant> lastWrite(CheckpointFacts facts) {
    return facts.layout().all().stream().map(StoredFile::modified).max(Instant::compareTo);
  }

  public static List<Operator> operators(CheckpointFacts facts) {
    NavigableMap<Long, NavigableMap<StoreId, StoreFiles>> byOperator = new TreeMap<>();
    facts
        .layout()
        .stores()
        .forEach(
            (id, store) ->
                byOperator.computeIfAbsent(id.operator(), op -> new TreeMap<>()).put(id, store));
    List<Operator> operators = new ArrayList<>();
    byOperator.forEach((number, stores) -> operators.add(operator(facts, number, stores)));
    return operators;
  }

  /** Returns how many stores an operator's description tells of; 0 if there is none. */
  private static long described(CheckpointFacts facts, long number) {
    return Optional.ofNullable(facts.operators().get(number))
        .flatMap(Read::value)
        .map(info -> info.partitions().values().stream().mapToLong(Long::longValue).sum())
        .orElse(0L);
  }

  private static Operator operator(
      CheckpointFacts facts, long number, NavigableMap<StoreId, StoreFiles> stores) {
    String name =
        Optional.ofNullable(facts.operators().get(number))
            .flatMap(Read::value)
            .map(OperatorInfo::name)
            .orElse("");
    List<Long> versions = stores.values().stream().map(s -> s.newest().orElse(0L)).toList();
    long partitions = stores.keySet().stream().map(StoreId::partition).distinct().count();
    long ofEach = stores.keySet().stream().map(StoreId::name).distinct().count();
    return new Operator(
        number,
        name,
        partitions,
        Math.max(partitions * ofEach, described(facts, number)),
        stores.firstEntry().getValue().provider(),
        versions.stream().mapToLong(Long::longValue).min().orElse(0),
        versions.stream().mapToLong(Long::longValue).max().orElse(0),
        stores.keySet().stream().filter(id -> facts.chains().get(id).isWhole()).count(),
        stores.values().stream().mapToLong(StoreFiles::fileCount).sum(),
        stores.values().stream().mapToLong(StoreFiles::sizeBytes).sum());
  }
}
