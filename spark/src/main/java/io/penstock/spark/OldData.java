/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.commit.files.PackedFiles;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.hadoop.OutputPaths;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.commit.OutputCommit;
import io.penstock.spark.plan.RunningWrite;
import io.penstock.spark.plan.SaveModes;
import io.penstock.spark.plan.SaveModes.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data that is at a job's output before it: what the job replaces, and what must not be there.
 * Used on the driver only.
 */
final class OldData {
  private static final Logger LOG = LoggerFactory.getLogger(OldData.class);

  private final String path;
  private final boolean isDynamic;
  private final SaveModes modes;

  /** Spark's configuration for the write, if its command is known. */
  private final Optional<Configuration> configuration;

  /** True if Spark has had data deleted, which only an overwrite does. */
  private boolean isReplacing;

  private List<Directory> directories = List.of();

  /**
   * A directory that the job's mode is about.
   *
   * @param prefix ends with a slash, unless it is the root's
   */
  private record Directory(String bucket, String prefix) implements Comparable<Directory> {
    private static final Comparator<Directory> ORDER =
        Comparator.comparing(Directory::bucket).thenComparing(Directory::prefix);

    boolean contains(Directory other) {
      return bucket.equals(other.bucket) && other.prefix.startsWith(prefix);
    }

    @Override
    public int compareTo(Directory other) {
      return ORDER.compare(this, other);
    }
  }

  private OldData(
      String path, boolean isDynamic, SaveModes modes, Optional<Configuration> configuration) {
    this.path = path;
    this.isDynamic = isDynamic;
    this.modes = modes;
    this.configuration = configuration;
  }

  /** Looks up the save mode of the write that Spark is about to do on this thread. */
  static OldData of(String path, boolean isDynamic) {
    try {
      Optional<RunningWrite> write = RunningWrite.to(path);
      if (write.isPresent()) {
        return new OldData(
            path,
            isDynamic,
            write.get().saveModes(isDynamic),
            Optional.of(write.get().configuration()));
      }
      if (RunningWrite.isForHive()) {
        SaveModes append = new SaveModes(Mode.APPEND, List.of());
        return new OldData(path, isDynamic, append, Optional.empty());
      }
    } catch (LinkageError e) {
      LOG.warn("{}: the save mode cannot be found in this version of Spark", path, e);
    }
    return new OldData(path, isDynamic, SaveModes.unknown(), Optional.empty());
  }

  Mode mode() {
    return modes.mode();
  }

  /**
   * Ends the commits of dead jobs at the output, if Spark is about to look whether it exists.
   * Otherwise the rest of a job that died in its first commit would keep all later ones out.
   */
  void settleBefore(Commits commits) throws IOException {
    if (modes.mode().needsAbsence() && configuration.isPresent()) {
      Optional<PenstockFileSystem> ours =
          PenstockFileSystem.behind(new Path(path).getFileSystem(configuration.get()));
      if (ours.isPresent()) {
        commits.of(ours.get()).settleBefore();
      }
    }
  }

  /** Returns the commit of the job, which it makes at the first call. */
  interface Commits {
    OutputCommit of(PenstockFileSystem fs);
  }

  /**
   * Resolves the directories that the mode is about, and refuses an output that is one object,
   * unless the job overwrites it.
   *
   * @throws IOException when a directory is on a file system that Penstock does not serve
   */
  void setupJob(PenstockFileSystem fs) throws IOException {
    if (modes.mode() == Mode.UNKNOWN
        && !isDynamic
        && fs.stack().engine().warnings().isNew("save mode unknown " + path)) {
      LOG.warn(
          "{}: the save mode of the query is not known. So if Spark deletes old data, the commit"
              + " replaces that data; if not, the commit appends",
          path);
    }
    if (modes.mode() == Mode.APPEND || isDynamic) {
      // In the other modes, Spark itself has looked.
      OutputPaths.requireNoFile(fs, new Path(path));
    }
    Set<Directory> resolved = new TreeSet<>();
    for (Path directory : modes.directories()) {
      PenstockFileSystem at = Ours.at(directory, fs.getConf());
      resolved.add(new Directory(at.store().bucket(), prefix(at, directory)));
    }
    directories = topmost(resolved);
  }

  /** Leaves out directories inside others: most partitions are inside their table. */
  private static List<Directory> topmost(Set<Directory> sorted) {
    List<Directory> topmost = new ArrayList<>();
    Directory last = null;
    for (Directory each : sorted) {
      if (last == null || !last.contains(each)) {
        topmost.add(each);
        last = each;
      }
    }
    return List.copyOf(topmost);
  }

  /** Marks data to be deleted at the commit, because Spark would delete it now. */
  void delete(OutputCommit commit, PenstockFileSystem ours, Path old) throws IOException {
    String key = ours.key(old);
    if (key.isEmpty()) {
      throw new IOException(
          "overwriting " + old + " would delete the whole bucket; write to a prefix in the bucket");
    }
    if (modes.mode() == Mode.ERROR_IF_EXISTS) {
      // Spark has seen an empty directory, and it must be empty still when the job commits.
      return;
    }
    isReplacing = true;
    if (ours.getFileStatus(old).isFile()) {
      commit.replace(ours.store().bucket(), key);
    }
    // An object may have the same name as the table's directory. Then both are replaced.
    commit.replace(ours.store().bucket(), key + "/");
  }

  /** Tells the commit what it replaces, and what must not be there. */
  void beforeCommit(OutputCommit commit, PenstockFileSystem fs, PackedFiles files) {
    if (isDynamic) {
      replaceTouchedPartitions(commit, fs, files);
      return;
    }
    for (Directory each : directories) {
      if (each.prefix().isEmpty()) {
        continue; // The root exists, so Spark has seen it itself.
      }
      if (modes.mode() == Mode.OVERWRITE) {
        commit.replace(each.bucket(), each.prefix());
      } else if (!isReplacing) {
        commit.requireAbsent(each.bucket(), each.prefix(), modes.mode() == Mode.IGNORE);
      }
    }
  }

  /**
   * Marks every partition that got a file as replaced, including a partition whose location is
   * elsewhere, even in another bucket. If the location is the root of the table, only the files
   * directly in it are replaced: the other partitions are below it and stay.
   */
  private void replaceTouchedPartitions(
      OutputCommit commit, PenstockFileSystem fs, PackedFiles files) {
    String root = prefix(fs, new Path(path));
    for (TaskFile file : files) {
      String key = file.key();
      String partition = key.substring(0, key.lastIndexOf('/') + 1);
      boolean isRoot = partition.equals(root) && file.bucket().equals(fs.store().bucket());
      if (isRoot) {
        commit.replaceLevel(file.bucket(), partition);
      } else {
        commit.replace(file.bucket(), partition);
      }
    }
  }

  private static String prefix(PenstockFileSystem fs, Path directory) {
    String key = fs.key(fs.makeQualified(directory));
    return key.isEmpty() ? "" : key + "/";
  }
}
