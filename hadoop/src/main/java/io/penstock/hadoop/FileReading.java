/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.commit.Segment;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.RemoteIterators;

/** The operations of a file system that change nothing. Paths are absolute. */
final class FileReading {
  private final StoreStack stack;
  private final Paths paths;
  private final Tree tree;
  private final PendingFiles pending;
  private final String owner;
  private final long blockSize;
  private final FileSystem.Statistics statistics;

  FileReading(
      StoreStack stack,
      Paths paths,
      Tree tree,
      PendingFiles pending,
      String owner,
      FileSystem.Statistics statistics) {
    this.stack = stack;
    this.paths = paths;
    this.tree = tree;
    this.pending = pending;
    this.owner = owner;
    this.blockSize = stack.settings().get(HadoopKeys.BLOCK_SIZE);
    this.statistics = statistics;
  }

  long blockSize() {
    return blockSize;
  }

  Optional<Tree.Node> find(Path path) throws IOException {
    String key = paths.key(path);
    Optional<Segment.Split> segment = Segment.in(key);
    try {
      return segment.isPresent() ? pending.find(segment.get()) : tree.find(key);
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
  }

  PenstockFileStatus status(Path path) throws IOException {
    return status(path, find(path).orElseThrow(() -> missing(path)));
  }

  private PenstockFileStatus status(Path path, Tree.Node node) {
    return node.isDirectory()
        ? PenstockFileStatus.directory(path, owner)
        : fileStatus(path, node.file().get());
  }

  private PenstockFileStatus fileStatus(Path path, ObjectMeta meta) {
    return PenstockFileStatus.file(path, meta, blockSize, owner);
  }

  FSDataInputStream open(Path path, Opening opening) throws IOException {
    String key = paths.key(path);
    if (Segment.in(key).isPresent()) {
      throw new IOException(path + " cannot be read before its job commits");
    }
    if (key.isEmpty()) {
      throw new FileNotFoundException(path + " is a directory");
    }
    try {
      ObjectReader reader = opening.reader(stack, key);
      return new FSDataInputStream(
          new PenstockInputStream(
              path.toString(), reader, stack.reads(), stack.readsOf(key), statistics));
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
  }

  FileStatus[] list(Path path) throws IOException {
    return entries(path).toArray(FileStatus[]::new);
  }

  RemoteIterator<LocatedFileStatus> listLocated(Path path) throws IOException {
    return RemoteIterators.mappingRemoteIterator(
        RemoteIterators.remoteIteratorFromIterable(entries(path)), LocatedStatus::new);
  }

  private List<PenstockFileStatus> entries(Path path) throws IOException {
    String key = paths.key(path);
    Optional<Segment.Split> segment = Segment.in(key);
    List<PenstockFileStatus> entries = new ArrayList<>();
    if (segment.isPresent()) {
      String at = Paths.inside(segment.get().finalKey().replaceFirst("/$", ""));
      for (ObjectMeta meta : pending.under(segment.get())) {
        entries.add(fileStatus(new Path(path, meta.key().substring(at.length())), meta));
      }
      return entries;
    }
    Optional<Tree.Level> level;
    try {
      level = tree.level(key);
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
    if (level.isEmpty()) {
      PenstockFileStatus status = status(path);
      return status.isFile() ? List.of(status) : entries;
    }
    level.get().files().forEach(meta -> entries.add(fileStatus(paths.path(meta.key()), meta)));
    for (String directory : level.get().directories()) {
      entries.add(PenstockFileStatus.directory(paths.path(directory), owner));
    }
    return entries;
  }

  /** All files below, by one flat listing whose pages are asked for as they are used. */
  RemoteIterator<LocatedFileStatus> listFilesUnder(Path path) throws IOException {
    String key = paths.key(path);
    if (Segment.in(key).isPresent()) {
      return listLocated(path);
    }
    FlatListing flat =
        new FlatListing(
            stack.store(),
            Paths.inside(key),
            meta -> new LocatedStatus(fileStatus(paths.path(meta.key()), meta)));
    try {
      if (flat.hasNext() || flat.sawAnyKey()) {
        return flat;
      }
      PenstockFileStatus status = status(path);
      return status.isFile()
          ? RemoteIterators.remoteIteratorFromSingleton(new LocatedStatus(status))
          : flat;
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
  }

  ContentSummary summary(Path path) throws IOException {
    String key = paths.key(path);
    String prefix = Paths.inside(key);
    long[] totals = new long[2];
    Set<String> directories = new HashSet<>(Set.of(key));
    boolean[] found = {key.isEmpty()};
    try {
      Keys.forEachPage(
          stack.store(),
          ListRequest.flat(prefix),
          page -> {
            found[0] |= !page.isEmpty();
            for (ObjectMeta object : page.objects()) {
              if (!KeyName.isMarker(object.key())) {
                totals[0] += object.sizeBytes();
                totals[1]++;
              }
              addParents(directories, object.key(), key);
            }
          });
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
    if (!found[0]) {
      PenstockFileStatus status = status(path);
      totals[0] = status.getLen();
      totals[1] = status.isFile() ? 1 : 0;
      directories.clear();
      if (status.isDirectory()) {
        directories.add(key);
      }
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

  /**
   * The status that somebody opens a file with, if it can be used: of this path's file, with or
   * without an ETag.
   */
  Opening opening(Path path, FileStatus given, org.apache.hadoop.conf.Configuration options)
      throws IOException {
    if (given == null) {
      return Opening.of(paths.key(path), options, Optional.empty(), Optional.empty());
    }
    if (!given.getPath().getName().equals(path.getName())) {
      throw new IllegalArgumentException(
          "the status given to open %s is of %s".formatted(path, given.getPath()));
    }
    if (given.isDirectory()) {
      throw new FileNotFoundException(path + " is a directory");
    }
    Optional<String> etag =
        given instanceof org.apache.hadoop.fs.EtagSource source
            ? Optional.ofNullable(source.getEtag()).filter(tag -> !tag.isEmpty())
            : Optional.empty();
    return Opening.of(paths.key(path), options, Optional.of(given.getLen()), etag);
  }

  static FileNotFoundException missing(Path path) {
    return new FileNotFoundException("no such file or directory: " + path);
  }
}
