/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.spark.HadoopKeys;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.RangesAhead;
import io.penstock.core.read.footer.FooterStore;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectMeta;
import io.penstock.hadoop.parquet.NextRowGroup;
import io.penstock.hadoop.stream.PenstockInputStream;
import io.penstock.hadoop.stream.TaskSplits;
import io.penstock.hadoop.stream.VectoredRead;
import io.penstock.hadoop.tree.Attributes;
import io.penstock.hadoop.tree.DataFileNames;
import io.penstock.hadoop.tree.FlatListing;
import io.penstock.hadoop.tree.KeyName;
import io.penstock.hadoop.tree.LocatedStatus;
import io.penstock.hadoop.tree.Opening;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.PenstockFileStatus;
import io.penstock.hadoop.tree.Statuses;
import io.penstock.hadoop.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.RemoteIterators;

/** Reads the published files and directories, which are those that the keys of a bucket imply. */
final class FileReading {
  private final StoreStack stack;
  private final Paths paths;
  private final Tree tree;
  private final FooterStore view;
  private final Tree ofReaders;
  private final Statuses statuses;
  private final TaskSplits splits;
  private final FileSystem.Statistics statistics;
  private final boolean isPlanChecked;
  private final Optional<CommittedListing> committed;

  FileReading(
      StoreStack stack,
      Paths paths,
      Tree tree,
      Statuses statuses,
      TaskSplits splits,
      FileSystem.Statistics statistics) {
    this.stack = stack;
    this.paths = paths;
    this.tree = tree;
    this.view = stack.readView(DataFileNames::isWrittenOnce);
    this.ofReaders = new Tree(view);
    this.statuses = statuses;
    this.splits = splits;
    this.statistics = statistics;
    this.isPlanChecked = stack.settings().get(HadoopKeys.READ_CHECK_PLAN);
    this.committed =
        stack.settings().get(HadoopKeys.READ_COMMITTED)
            ? Optional.of(new CommittedListing(stack, tree))
            : Optional.empty();
  }

  Optional<Tree.Node> find(String key) throws IOException {
    return tree.find(key);
  }

  /**
   * Returns a status for the caller, which may be some seconds old; see {@link
   * StoreStack#readView}.
   */
  PenstockFileStatus status(Path path, String key) throws IOException {
    return statuses.of(path, ofReaders.find(key));
  }

  Map<String, byte[]> attributes(Path path, String key) throws IOException {
    Tree.Node found =
        tree.find(key).orElseThrow(() -> new FileNotFoundException("nothing is at " + path));
    // A listing, which may have found it, does not tell them.
    return found.isDirectory() ? new TreeMap<>() : Attributes.of(stack.store().head(key));
  }

  FSDataInputStream open(Path path, String key, Opening opening) throws IOException {
    if (key.isEmpty()) {
      throw new FileNotFoundException(path + " is a directory");
    }
    ObjectReader reader = opening.reader(stack, view, key);
    Optional<TaskSplits.Split> planned = splits.of(path);
    if (isPlanChecked && planned.isPresent() && planned.get().fileBytes().isPresent()) {
      reader.expectSize(planned.get().fileBytes().getAsLong());
    }
    Optional<RangesAhead> ahead =
        opening
            .split()
            .or(() -> planned.map(TaskSplits.Split::range))
            .map(
                split ->
                    reader.rangesAhead(
                        etag ->
                            view.kept(key, etag).flatMap(tail -> NextRowGroup.of(tail, split))));
    VectoredRead vectored =
        new VectoredRead(path.toString(), reader, stack.reads(), stack.readsOf(key), ahead);
    return new FSDataInputStream(
        new PenstockInputStream(path.toString(), reader, vectored, statistics));
  }

  /** Returns the direct entries of the directory. If the path is a file, returns only that file. */
  List<PenstockFileStatus> entries(Path path, String key) throws IOException {
    List<PenstockFileStatus> entries = new ArrayList<>();
    Optional<Tree.Level> level =
        committed.isPresent() ? committed.get().level(key) : tree.level(key);
    if (level.isEmpty()) {
      PenstockFileStatus status = status(path, key);
      return status.isFile() ? List.of(status) : entries;
    }
    level.get().files().forEach(meta -> entries.add(file(meta)));
    for (String directory : level.get().directories()) {
      entries.add(statuses.directory(paths.path(directory)));
    }
    return entries;
  }

  private PenstockFileStatus file(ObjectMeta meta) {
    return statuses.file(paths.path(meta.key()), meta);
  }

  /**
   * Returns all files below the directory. Uses one flat listing, which begins when its first file
   * is asked for. Requests each page when it is needed if files of open commits are not hidden.
   */
  RemoteIterator<LocatedFileStatus> filesUnder(Path path, String key) throws IOException {
    FlatListing.Pages pages =
        committed.isPresent()
            ? committed.get().pages(Paths.inside(key))
            : stack.listing(Paths.inside(key))::next;
    FlatListing flat =
        new FlatListing(
            "s3://" + stack.store().bucket() + "/" + Paths.inside(key),
            pages,
            meta -> new LocatedStatus(file(meta)));
    if (flat.hasNext() || flat.sawAnyKey()) {
      return flat;
    }
    PenstockFileStatus status = status(path, key);
    return status.isFile()
        ? RemoteIterators.remoteIteratorFromSingleton(new LocatedStatus(status))
        : flat;
  }

  ContentSummary summary(Path path, String key) throws IOException {
    long[] totals = new long[2];
    Set<String> directories = new HashSet<>(Set.of(key));
    boolean[] found = {key.isEmpty()};
    stack
        .listing(Paths.inside(key))
        .forEach(
            objects -> {
              found[0] = true;
              for (ObjectMeta object : objects) {
                if (!KeyName.isMarker(object.key())) {
                  totals[0] += object.sizeBytes();
                  totals[1]++;
                }
                addParents(directories, object.key(), key);
              }
            });
    if (!found[0]) {
      return statuses.summary(status(path, key));
    }
    return new ContentSummary.Builder()
        .length(totals[0])
        .fileCount(totals[1])
        .directoryCount(directories.size())
        .spaceConsumed(totals[0])
        .build();
  }

  private static void addParents(Set<String> directories, String object, String top) {
    String parent =
        object.endsWith(KeyName.EMRFS_MARKER)
            ? object.substring(0, object.length() - KeyName.EMRFS_MARKER.length())
            : Paths.parent(object);
    while (parent.length() > top.length() && directories.add(parent)) {
      parent = Paths.parent(parent);
    }
  }
}
