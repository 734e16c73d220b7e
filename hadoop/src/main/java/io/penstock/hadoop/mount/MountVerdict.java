/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.util.Optional;

/**
 * Decides whether a directory is suitable for a checkpoint. If not, says why and what to change.
 */
final class MountVerdict {
  private static final String PAGE = "See docs/checkpoints.md#";

  private MountVerdict() {}

  /** Returns the reason and the advice; empty if the directory is suitable. */
  static Optional<String> of(MountFacts facts) {
    if (facts.failure().isPresent()) {
      MountFailure failure = facts.failure().get();
      return Optional.of(
          "Checkpoint directory %s cannot be used: %s failed (%s). %s; this process runs as %s; mount: %s.\n%s"
              .formatted(
                  facts.directory(),
                  failure.step(),
                  failure.reason(),
                  facts.nearest(),
                  facts.self(),
                  facts.mount(),
                  fix(facts, failure)));
    }
    if (!facts.closed().isEmpty()) {
      return Optional.of(
          "Checkpoint directory %s cannot be used: it has entries of another user that are closed to this process, which runs as %s:\n  %s\n%s"
              .formatted(
                  facts.directory(),
                  facts.self(),
                  String.join("\n  ", facts.closed().stream().map(Owned::toString).toList()),
                  ownership(facts, facts.directory(), facts.closed().get(0))));
    }
    return Optional.empty();
  }

  private static String fix(MountFacts facts, MountFailure failure) {
    Owned nearest = facts.nearest();
    if (!nearest.isDirectory()) {
      return "The checkpoint's path, or a path above it, is a file: choose another path, or remove"
          + " the file.";
    }
    if (facts.mount().readOnly()) {
      return "The mount is read-only: mount it with rw. On EFS with IAM the role needs"
          + " elasticfilesystem:ClientWrite. "
          + PAGE
          + "permissions";
    }
    if (facts.mount().full()
        || failure.reason().contains("No space left")
        || failure.reason().contains("quota")) {
      return "The filesystem has no free bytes, no free inodes (df -i) or no quota left: free some,"
          + " or use another path.";
    }
    if (failure.step() == Step.LINK && !failure.denied()) {
      return "This filesystem has no hard links, which Penstock needs to keep two runs apart. Use a"
          + " filesystem that has them (NFS, EFS, ext4, XFS), or s3://. "
          + PAGE
          + "what-it-needs";
    }
    if (failure.step() == Step.SYNC && !failure.denied()) {
      return "This filesystem cannot sync a directory, so a file could be lost after it was"
          + " reported as written. Use NFS, EFS, ext4, XFS, or s3://. "
          + PAGE
          + "what-it-needs";
    }
    return failure.denied() || failure.reason().contains("not permitted")
        ? ownership(facts, nearest.path(), nearest)
        : PAGE + "what-it-needs";
  }

  private static String ownership(MountFacts facts, String directory, Owned owned) {
    MountIdentity self = facts.self();
    if (self.isRoot()) {
      return "Even root is denied access. Either the server maps root to another user (root_squash; on EFS, elasticfilesystem:ClientRootAccess is missing), or an access rule forbids it. Run Spark as uid %d, or use an access point with that uid. %spermissions"
          .formatted(owned.uid(), PAGE);
    }
    if (owned.belongsTo(self) && !owned.isOpenToOwner()) {
      return "Give the owner access with 'chmod -R u+rwX %s'. %spermissions"
          .formatted(directory, PAGE);
    }
    if (owned.belongsTo(self)) {
      return "Owner and mode allow the access, so something else forbids it: an ACL, an EFS file system policy, SELinux, or a directory with a sticky bit that holds files of other users. %spermissions"
          .formatted(PAGE);
    }
    // Never advises to run as root, or to change the owner of directories above the checkpoint.
    boolean itself = directory.equals(facts.directory());
    String give =
        itself
            ? "chown -R %d:%d %s".formatted(self.uid(), self.gid(), directory)
            : "install -d -o %d -g %d %s".formatted(self.uid(), self.gid(), facts.directory());
    String join =
        owned.uid() == 0
            ? "on EFS, mount an access point with POSIX user %d:%d and a root directory that this user owns"
                .formatted(self.uid(), self.gid())
            : "run the driver and the executors as uid %d; or, on EFS, mount an access point with POSIX user %d:%d"
                .formatted(owned.uid(), owned.uid(), owned.gid());
    return "Do one of these: %s; or %s. The uid must be the same on all nodes. %spermissions"
        .formatted(give, join, PAGE);
  }
}
