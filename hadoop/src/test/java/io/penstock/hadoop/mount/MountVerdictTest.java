/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a user is told of a directory that will not do. */
class MountVerdictTest {
  private static final MountIdentity SPARK = new MountIdentity(185, 186, "spark");
  private static final MountIdentity ROOT = new MountIdentity(0, 0, "root");
  private static final Mount EFS =
      new Mount("fs-1.efs.eu-west-1.amazonaws.com:/ (nfs4)", false, false);
  private static final Owned OF_ROOT = new Owned("/mnt/efs/q1", true, 0, 0, 0755);
  private static final MountFailure DENIED =
      new MountFailure(Step.CREATE, "Permission denied", true);

  private static String told(MountIdentity self, Owned nearest, Mount mount, MountFailure failure) {
    return MountVerdict.of(
            new MountFacts("/mnt/efs/q1", self, nearest, mount, Optional.of(failure), List.of()))
        .orElseThrow();
  }

  @Test
  void nothingIsSaidOfADirectoryThatWillDo() {
    assertThat(
            MountVerdict.of(
                new MountFacts("/mnt/efs/q1", SPARK, OF_ROOT, EFS, Optional.empty(), List.of())))
        .isEmpty();
  }

  @Test
  void aMountThatBelongsToRootIsNamedWithBothUsersAndTheWaysOut() {
    assertThat(told(SPARK, OF_ROOT, EFS, DENIED))
        .isEqualTo(
            "Checkpoint directory /mnt/efs/q1 cannot be used: creating a file in it failed"
                + " (Permission denied). /mnt/efs/q1 belongs to uid 0, gid 0, mode 0755; this"
                + " process runs as uid 185, gid 186 (spark); mount:"
                + " fs-1.efs.eu-west-1.amazonaws.com:/ (nfs4).\n"
                + "Do one of these: chown -R 185:186 /mnt/efs/q1; or on EFS, mount an access point"
                + " with POSIX user 185:186 and a root directory that this user owns. The uid must"
                + " be the same on all nodes. See docs/checkpoints.md#permissions");
  }

  @Test
  void aDirectoryOfAnotherUserMayAlsoBeJoined() {
    Owned ofAnother = new Owned("/mnt/efs/q1", true, 1000, 1001, 0755);
    assertThat(told(SPARK, ofAnother, EFS, DENIED))
        .contains("chown -R 185:186 /mnt/efs/q1; or run the driver and the executors as uid 1000;")
        .contains("an access point with POSIX user 1000:1001");
  }

  @Test
  void aDirectoryThatCannotBeMadeIsExplainedByTheOneAboveIt() {
    Owned above = new Owned("/mnt/efs", true, 0, 0, 0755);
    assertThat(told(SPARK, above, EFS, new MountFailure(Step.MAKE, "Permission denied", true)))
        .contains("making it failed (Permission denied). /mnt/efs belongs to uid 0")
        .contains("install -d -o 185 -g 186 /mnt/efs/q1;")
        .doesNotContain("chown");
  }

  @Test
  void rootThatIsRefusedIsToldOfRootSquash() {
    Owned ofSpark = new Owned("/mnt/efs/q1", true, 185, 186, 0755);
    assertThat(told(ROOT, ofSpark, EFS, DENIED))
        .contains("root_squash")
        .contains("elasticfilesystem:ClientRootAccess")
        .contains("Run Spark as uid 185")
        .doesNotContain("chown");
  }

  @Test
  void anOwnerWhoseModeKeepsItOutIsToldToChangeTheMode() {
    Owned closed = new Owned("/mnt/efs/q1", true, 185, 186, 0555);
    assertThat(told(SPARK, closed, EFS, DENIED)).contains("chmod -R u+rwX /mnt/efs/q1");
  }

  @Test
  void anOwnerWhoIsRefusedAllTheSameIsToldOfOtherRules() {
    Owned own = new Owned("/mnt/efs/q1", true, 185, 186, 0755);
    assertThat(told(SPARK, own, EFS, DENIED)).contains("an ACL, an EFS file system policy");
  }

  @Test
  void aReadOnlyMountIsSaidToBeOneWhateverTheOwner() {
    Mount readOnly = new Mount("server:/export (nfs4)", true, false);
    assertThat(
            told(
                SPARK,
                OF_ROOT,
                readOnly,
                new MountFailure(Step.CREATE, "Read-only file system", false)))
        .contains("The mount is read-only: mount it with rw")
        .doesNotContain("chown");
  }

  @Test
  void aFullMountIsSaidToBeFullInBytesFilesOrQuota() {
    Mount full = new Mount("tmpfs (tmpfs)", false, true);
    assertThat(
            told(SPARK, OF_ROOT, full, new MountFailure(Step.WRITE, "Input/output error", false)))
        .contains("The filesystem has no free bytes");
    assertThat(
            told(SPARK, OF_ROOT, EFS, new MountFailure(Step.CREATE, "Disk quota exceeded", false)))
        .contains("The filesystem has no free bytes, no free inodes (df -i) or no quota left");
  }

  @Test
  void aLinkThatIsDeniedIsNotTakenForAFilesystemWithoutLinks() {
    assertThat(told(SPARK, OF_ROOT, EFS, new MountFailure(Step.LINK, "Permission denied", true)))
        .contains("chown")
        .doesNotContain("hard links");
  }

  @Test
  void whatOthersLeftThereIsListedWithItsOwners() {
    List<Owned> closed =
        List.of(
            new Owned("/mnt/efs/q1/offsets", true, 0, 0, 0755),
            new Owned("/mnt/efs/q1/metadata", false, 0, 0, 0600));
    assertThat(
            MountVerdict.of(
                new MountFacts(
                    "/mnt/efs/q1",
                    SPARK,
                    new Owned("/mnt/efs/q1", true, 185, 186, 0755),
                    EFS,
                    Optional.empty(),
                    closed)))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("/mnt/efs/q1/offsets belongs to uid 0, gid 0, mode 0755")
                    .contains("/mnt/efs/q1/metadata belongs to uid 0, gid 0, mode 0600")
                    .contains("chown -R 185:186 /mnt/efs/q1;"));
  }
}
