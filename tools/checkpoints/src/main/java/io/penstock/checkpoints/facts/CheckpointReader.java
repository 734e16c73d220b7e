/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.facts;

import io.penstock.checkpoints.facts.CheckpointFacts.SinkFacts;
import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.CommitEntry;
import io.penstock.checkpoints.log.EntriesLog;
import io.penstock.checkpoints.log.OffsetsEntry;
import io.penstock.checkpoints.log.QueryId;
import io.penstock.checkpoints.log.SideFile;
import io.penstock.checkpoints.log.StoreId;
import io.penstock.checkpoints.log.WriterClaim;
import io.penstock.checkpoints.place.CheckpointPlace;
import io.penstock.checkpoints.place.FileReader;
import io.penstock.checkpoints.place.ProgressListener;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.state.OperatorInfo;
import io.penstock.checkpoints.state.RocksSnapshot;
import io.penstock.checkpoints.state.StateChain;
import io.penstock.checkpoints.state.VersionFile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Collects the facts about a checkpoint. It lists all files once and reads only the few files whose
 * content is needed. It writes nothing.
 */
public final class CheckpointReader {
  private static final int WRITERS_SHOWN = 5;

  private final CheckpointPlace files;
  private final Executor pool;
  private final CheckOptions options;
  private final ProgressListener progress;
  private final FileReader reader;

  public CheckpointReader(
      CheckpointPlace files, Executor pool, CheckOptions options, ProgressListener progress) {
    this.files = files;
    this.pool = pool;
    this.options = options;
    this.progress = progress;
    this.reader = new FileReader(files, pool, progress);
  }

  /**
   * Reads the checkpoint. A file that is damaged or has changed meanwhile is a fact, not a failure.
   *
   * @throws IOException when a request fails
   */
  public CheckpointFacts read(Instant now) throws IOException {
    return readWithout(Set.of(), now);
  }

  /**
   * Reads the checkpoint as if some of its files were not there.
   *
   * @param gone the paths of these files
   * @throws IOException when a request fails
   */
  public CheckpointFacts readWithout(Set<String> gone, Instant now) throws IOException {
    List<StoredFile> listed = files.list("", n -> progress.at("files listed", n, 0));
    Layout layout =
        LayoutReader.read(listed.stream().filter(file -> !gone.contains(file.path())).toList());
    Resume resume = Resume.of(layout.offsets().newest(), layout.commits().newest());
    NavigableMap<Long, Read<CommitEntry>> commits = newest(layout.commits(), CommitEntry::parse);
    NavigableMap<StoreId, StateChain> chains = chains(layout, resume, commits);
    List<StoredFile> needed = needed(chains);
    Map<String, Read<SideFile>> sides = sides(layout, options.isDeep() ? layout.all() : needed);
    return new CheckpointFacts(
        now,
        layout,
        resume,
        layout.metadata().isPresent()
            ? Optional.of(reader.read(layout.metadata().get(), QueryId::parse))
            : Optional.empty(),
        newest(layout.offsets(), OffsetsEntry::parse),
        commits,
        keyed(layout.operatorMetadata(), OperatorInfo::parse),
        keyed(lastOf(layout.writers()), WriterClaim::parse),
        chains,
        reader.readAll("snapshots read", snapshots(needed), RocksSnapshot::parse),
        sides,
        options.isDeep() ? reader.checksums(withSides(layout, sides)) : Map.of(),
        sources(layout),
        sink());
  }

  private <T> NavigableMap<Long, Read<T>> newest(BatchLog log, Function<byte[], Read<T>> parser)
      throws IOException {
    NavigableMap<Long, StoredFile> wanted = new TreeMap<>();
    log.files().descendingMap().entrySet().stream()
        .limit(options.newest())
        .forEach(entry -> wanted.put(entry.getKey(), entry.getValue()));
    // Every valid file is larger than 0 bytes. Empty files are judged without a request, however
    // old they are.
    log.files().entrySet().stream()
        .filter(entry -> entry.getValue().sizeBytes() == 0)
        .forEach(entry -> wanted.put(entry.getKey(), entry.getValue()));
    return keyed(wanted, parser);
  }

  private <T> NavigableMap<Long, Read<T>> keyed(
      NavigableMap<Long, StoredFile> wanted, Function<byte[], Read<T>> parser) throws IOException {
    Map<String, Read<T>> reads = reader.readAll("files read", wanted.values(), parser);
    NavigableMap<Long, Read<T>> byNumber = new TreeMap<>();
    wanted.forEach((number, file) -> byNumber.put(number, reads.get(file.path())));
    return byNumber;
  }

  private static NavigableMap<Long, StoredFile> lastOf(NavigableMap<Long, StoredFile> writers) {
    NavigableMap<Long, StoredFile> last = new TreeMap<>(writers);
    while (last.size() > WRITERS_SHOWN) {
      last.pollFirstEntry();
    }
    return last;
  }

  private static NavigableMap<StoreId, StateChain> chains(
      Layout layout, Resume resume, NavigableMap<Long, Read<CommitEntry>> commits) {
    NavigableMap<StoreId, StateChain> chains = new TreeMap<>();
    layout
        .stores()
        .forEach(
            (id, store) ->
                chains.put(
                    id,
                    StateChain.of(
                        store,
                        resume.stateVersion(),
                        version ->
                            Optional.ofNullable(commits.get(version - 1))
                                .flatMap(Read::value)
                                .map(commit -> commit.idsOf(id))
                                .orElse(Set.of()))));
    return chains;
  }

  private static List<StoredFile> needed(NavigableMap<StoreId, StateChain> chains) {
    return chains.values().stream()
        .flatMap(chain -> chain.files().stream())
        .map(VersionFile::file)
        .toList();
  }

  private static List<StoredFile> snapshots(Collection<StoredFile> needed) {
    return needed.stream().filter(file -> file.name().endsWith(".zip")).toList();
  }

  private Map<String, Read<SideFile>> sides(Layout layout, Collection<StoredFile> of)
      throws IOException {
    Map<String, StoredFile> wanted = new TreeMap<>();
    of.forEach(file -> layout.side(file).ifPresent(side -> wanted.put(file.path(), side)));
    Map<String, Read<SideFile>> reads =
        reader.readAll("checksums read", wanted.values(), SideFile::parse);
    Map<String, Read<SideFile>> byMain = new TreeMap<>();
    wanted.forEach((path, side) -> byMain.put(path, reads.get(side.path())));
    return byMain;
  }

  private static List<StoredFile> withSides(Layout layout, Map<String, Read<SideFile>> sides) {
    return layout.all().stream().filter(file -> sides.containsKey(file.path())).toList();
  }

  /** Returns the newest file of each source's log. Only file sources keep more than one file. */
  private Map<String, Read<EntriesLog>> sources(Layout layout) throws IOException {
    Map<String, Read<EntriesLog>> newest = new TreeMap<>();
    for (Map.Entry<String, BatchLog> source : layout.sources().entrySet()) {
      BatchLog log = source.getValue();
      if (log.files().size() > 1) {
        newest.put(
            source.getKey(), reader.read(log.files().lastEntry().getValue(), EntriesLog::parse));
      }
    }
    return newest;
  }

  private Optional<SinkFacts> sink() throws IOException {
    if (options.sink().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(SinkLogReader.read(options.sink().get(), pool, progress));
  }

  /** Returns the most likely intended path, when the given path has no checkpoint. */
  public static Optional<String> nearby(Layout layout) {
    List<String> found = new ArrayList<>();
    for (StoredFile file : layout.all()) {
      int at = file.path().lastIndexOf("/offsets/");
      if (at > 0) {
        found.add(file.path().substring(0, at));
      }
    }
    return found.stream().sorted().findFirst();
  }
}
