/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether driver and executors can share a checkpoint, from the sighting of each process.
 */
public final class MountAgreement {
  /** The number of executors in an error. Hundreds of failing executors mostly have one cause. */
  private static final int NAMED = 10;

  private MountAgreement() {}

  /**
   * Returns a description of the problem. Returns empty if driver and executors can share the
   * directory, or if no executor was asked.
   */
  public static Optional<String> of(
      String directory, MountReport driver, List<MountReport> executors) {
    List<String> wrong = new ArrayList<>();
    for (MountReport executor : executors) {
      problem(directory, driver, executor, executors).ifPresent(wrong::add);
    }
    if (wrong.isEmpty()) {
      return Optional.empty();
    }
    int named = Math.min(NAMED, wrong.size());
    String more = named == wrong.size() ? "" : "\n  and %d more".formatted(wrong.size() - named);
    return Optional.of(
        """
        Some executors cannot use the checkpoint directory %s (%d of %d that were asked):
          %s%s
        Mount the same filesystem at this path on every node, and run the driver (%s) and the executors with the same uid, or mount an EFS access point, which gives all files the same owner. If the query has no state, only the driver uses the checkpoint; you can then skip this check with penstock.checkpoint.mount.wait=0s. See docs/checkpoints.md#executors\
        """
            .formatted(
                directory,
                wrong.size(),
                executors.size(),
                String.join("\n  ", wrong.subList(0, named)),
                more,
                driver.self()));
  }

  private static Optional<String> problem(
      String directory, MountReport driver, MountReport executor, List<MountReport> executors) {
    if (!executor.tokenSeen()) {
      boolean there = executor.owned().path().equals(directory);
      return Optional.of(
          executor
              + (there
                  ? " does not see what the driver wrote to this directory: on that machine, the"
                      + " path is a local directory, or the filesystem is not mounted, or another"
                      + " filesystem is mounted"
                  : " does not have this directory; the nearest existing directory above it is "
                      + executor.owned().path()));
    }
    if (!executor.failure().isEmpty()) {
      return Optional.of(
          "%s cannot write to this directory: %s; %s"
              .formatted(executor, executor.failure(), executor.owned()));
    }
    if (!executor.owned().isWritableByOwnerOf(driver.owned())) {
      return Optional.of(
          "%s writes files that the driver cannot change: %s"
              .formatted(executor, executor.owned()));
    }
    return executors.stream()
        .filter(MountReport::couldWrite)
        .filter(other -> !executor.owned().isWritableByOwnerOf(other.owned()))
        .findFirst()
        .map(
            other ->
                "%s makes directories in which %s cannot write: %s"
                    .formatted(executor, other, executor.owned()));
  }
}
