/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import io.penstock.core.chance.Chance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Tests, before a query starts, the operations that a checkpoint needs in a directory. If one
 * fails, the error says who owns what and what to change. The test leaves no files behind.
 */
public final class MountCheck {
  private static final int PROBE_BYTES = 4096;

  /** The number of directories and files of an earlier run that are checked. */
  private static final int ENTRIES = 500;

  private final Disk disk;
  private final Path directory;
  private Step step = Step.LOOK;

  private MountCheck(Disk disk, Path directory) {
    this.disk = disk;
    this.directory = directory;
  }

  /**
   * Checks the directory and makes it if it is missing.
   *
   * @throws IOException when a step fails, or what others left there is closed to this process; the
   *     message says who owns what and what to change
   */
  public static void require(Disk disk, Path directory) throws IOException {
    MountFacts facts = look(disk, directory);
    Optional<String> verdict = MountVerdict.of(facts);
    if (verdict.isPresent()) {
      throw new IOException(verdict.get());
    }
  }

  /**
   * Returns the owner of a directory, or of the nearest existing one above it, and the user of this
   * process, for an error.
   */
  public static String describe(Path directory) throws IOException {
    return "%s; this process runs as %s"
        .formatted(Owned.look(nearest(directory)), MountIdentity.ofThisProcess());
  }

  static MountFacts look(Disk disk, Path directory) throws IOException {
    MountCheck check = new MountCheck(disk, directory);
    Optional<MountFailure> failure = check.tryAll();
    MountIdentity self = MountIdentity.ofThisProcess();
    Path nearest = nearest(directory);
    Mount mount = Mount.of(nearest);
    List<Owned> closed =
        failure.isPresent() ? List.of() : new ClosedEntries(self, ENTRIES).below(directory);
    return new MountFacts(directory.toString(), self, Owned.look(nearest), mount, failure, closed);
  }

  private Optional<MountFailure> tryAll() {
    Path probe = directory.resolve(".penstock-probe." + Chance.uniqueName() + ".tmp");
    Path second = directory.resolve(probe.getFileName() + ".link");
    Path third = directory.resolve(probe.getFileName() + ".renamed");
    try {
      step = Step.MAKE;
      disk.makeDirectories(directory);
      write(probe);
      step = Step.LINK;
      disk.link(probe, second);
      step = Step.RENAME;
      disk.rename(second, third);
      step = Step.SYNC;
      disk.syncDirectory(directory);
      step = Step.DELETE;
      disk.delete(third);
      disk.delete(probe);
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      for (Path left : List.of(probe, second, third)) {
        drop(left, e);
      }
      return Optional.of(MountFailure.of(step, e));
    }
  }

  private void write(Path probe) throws IOException {
    step = Step.CREATE;
    try (Disk.Sink file = disk.create(probe)) {
      step = Step.WRITE;
      file.write(new byte[PROBE_BYTES]);
      file.sync();
    }
  }

  private void drop(Path file, Exception failure) {
    try {
      disk.delete(file);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  static Path nearest(Path directory) {
    Path nearest = directory.toAbsolutePath();
    while (!Files.exists(nearest) && nearest.getParent() != null) {
      nearest = nearest.getParent();
    }
    return nearest;
  }
}
