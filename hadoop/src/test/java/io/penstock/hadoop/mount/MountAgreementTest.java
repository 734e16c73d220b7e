/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether driver and executors share a checkpoint's directory. */
class MountAgreementTest {
  private static final String DIRECTORY = "/mnt/efs/q1";

  @TempDir Path temp;

  private static MountReport wrote(String who, int uid, int gid, int mode) {
    return new MountReport(
        who,
        "host-" + who,
        new MountIdentity(uid, gid, "spark"),
        true,
        "",
        new Owned(DIRECTORY + "/token/x", true, uid, gid, mode));
  }

  private static MountReport sees(String who, String nearest) {
    return new MountReport(
        who,
        "host-" + who,
        new MountIdentity(185, 185, "spark"),
        false,
        "",
        new Owned(nearest, true, 0, 0, 0755));
  }

  private static String told(MountReport driver, MountReport... executors) {
    return MountAgreement.of(DIRECTORY, driver, List.of(executors)).orElse("");
  }

  @Test
  void processesOfOneUidAgree() {
    MountReport driver = wrote("driver", 185, 185, 0755);
    assertThat(told(driver)).isEmpty();
    assertThat(told(driver, wrote("1", 185, 185, 0755), wrote("2", 185, 185, 0755))).isEmpty();
  }

  @Test
  void processesOfAnAccessPointAgreeWhateverTheirOwnUid() {
    MountReport executor =
        new MountReport(
            "1",
            "host-1",
            new MountIdentity(1000, 1000, "spark"),
            true,
            "",
            new Owned(DIRECTORY + "/token/x", true, 185, 185, 0755));
    assertThat(told(wrote("driver", 185, 185, 0755), executor)).isEmpty();
  }

  @Test
  void processesOfOneGroupAgreeIfTheGroupMayWrite() {
    MountReport driver = wrote("driver", 185, 500, 0775);
    assertThat(told(driver, wrote("1", 1000, 500, 02775))).isEmpty();
    assertThat(told(driver, wrote("1", 1000, 501, 0775)))
        .contains(
            "1 on host-1 (uid 1000, gid 501 (spark)) writes files that the driver cannot change")
        .contains("belongs to uid 1000, gid 501, mode 0775");
  }

  @Test
  void anExecutorWhoseMountIsMissingIsNamedWithWhatItSeesInstead() {
    String text =
        told(
            wrote("driver", 185, 185, 0755),
            wrote("1", 185, 185, 0755),
            sees("2", DIRECTORY),
            sees("3", "/mnt"));
    assertThat(text)
        .startsWith(
            "Some executors cannot use the checkpoint directory /mnt/efs/q1 (2 of"
                + " 3 that were asked):\n")
        .contains("2 on host-2 (uid 185, gid 185 (spark)) does not see what the driver wrote")
        .contains(
            "3 on host-3 (uid 185, gid 185 (spark)) does not have this directory; the nearest"
                + " existing directory above it is /mnt\n")
        .contains("penstock.checkpoint.mount.wait=0s");
  }

  @Test
  void anExecutorThatMayNotWriteIsNamedWithTheReason() {
    MountReport executor =
        new MountReport(
            "1",
            "host-1",
            new MountIdentity(1000, 1000, "spark"),
            true,
            "Permission denied",
            new Owned(DIRECTORY + "/token", true, 0, 0, 0755));
    assertThat(told(wrote("driver", 0, 0, 0755), executor))
        .contains(
            "1 on host-1 (uid 1000, gid 1000 (spark)) cannot write to this directory: Permission"
                + " denied")
        .contains("token belongs to uid 0, gid 0, mode 0755");
  }

  @Test
  void executorsThatCannotWriteInEachOthersDirectoriesAreNamed() {
    assertThat(
            told(
                wrote("driver", 0, 0, 0755),
                wrote("1", 185, 185, 0755),
                wrote("2", 1000, 1000, 0755)))
        .contains("1 on host-1 (uid 185, gid 185 (spark)) makes directories in which 2 on host-2");
  }

  @Test
  void ofManyExecutorsTheFirstTenAreNamed() {
    List<MountReport> executors = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      executors.add(sees("e" + i, DIRECTORY));
    }
    assertThat(MountAgreement.of(DIRECTORY, wrote("driver", 185, 185, 0755), executors))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("(300 of 300 that were asked)")
                    .contains("e9 on")
                    .doesNotContain("e10 on")
                    .contains("and 290 more"));
  }

  @Test
  void aWitnessWritesBelowTheTokenAndTheDriverCleansUp() throws IOException {
    try (MountToken meeting = MountToken.in(temp)) {
      MountReport driver = MountWitness.look(temp.toString(), meeting.token(), "driver", "here");
      MountReport one = MountWitness.look(temp.toString(), meeting.token(), "1", "here");
      assertThat(one.couldWrite()).isTrue();
      assertThat(one.owned().path()).startsWith(temp.resolve(meeting.token()).toString());
      assertThat(one.self().uid()).isEqualTo(one.owned().uid());
      assertThat(MountAgreement.of(temp.toString(), driver, List.of(one))).isEmpty();
    }
    assertThat(namesIn(temp)).isEmpty();
  }

  @Test
  void aWitnessMakesNothingWhereTheTokenIsNot() throws IOException {
    MountReport empty = MountWitness.look(temp.toString(), "token", "1", "here");
    assertThat(empty.tokenSeen()).isFalse();
    assertThat(empty.owned().path()).isEqualTo(temp.toString());
    Path missing = temp.resolve("not/mounted");
    MountReport none = MountWitness.look(missing.toString(), "token", "1", "here");
    assertThat(none.owned().path()).isEqualTo(temp.toString());
    assertThat(namesIn(temp)).isEmpty();
    assertThatThrownBy(() -> MountToken.in(missing)).isInstanceOf(IOException.class);
  }

  private static List<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }
}
