/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.doctor.CheckOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointMountCheckTest {
  private static final String EFS = "fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/";

  private static List<CheckOutcome> look(String mount) {
    return new CheckpointMountCheck(machine(mount), "/mnt/cp/query").look();
  }

  private static ScriptedMachine machine(String mount) {
    return new ScriptedMachine()
        .directory("/mnt/cp/query")
        .file("/proc/mounts", "overlay / overlay rw 0 0", mount);
  }

  @Test
  void aHardMountOfEfsPassesAndItsCreditsAreLeftToCloudWatch() {
    List<CheckOutcome> outcomes =
        look(EFS + " /mnt/cp nfs4 rw,vers=4.1,hard,noresvport,timeo=600,retrans=2 0 0");

    assertThat(outcomes).extracting(CheckOutcome::verdict).containsExactly(PASS, SKIPPED);
    assertThat(outcomes.get(1).fix())
        .contains("BurstCreditBalance", "fs-0123456789abcdef0", "1 TiB: 50 MiB/s");
  }

  @Test
  void aSoftMountFails() {
    List<CheckOutcome> outcomes = look("nas:/cp /mnt/cp nfs4 rw,soft,timeo=600 0 0");
    assertThat(outcomes).extracting(CheckOutcome::verdict).containsExactly(FAIL);
    assertThat(outcomes.get(0).fix()).contains("docs/checkpoints.md#on-a-mounted-filesystem");
  }

  @Test
  void eachBadOptionIsTold() {
    List<CheckOutcome> outcomes = look(EFS + " /mnt/cp nfs4 rw,hard,noac,timeo=50 0 0");
    assertThat(outcomes)
        .extracting(CheckOutcome::verdict)
        .containsExactly(WARN, WARN, WARN, SKIPPED);
    assertThat(outcomes.get(1).said()).contains("timeo=50 is 5.0 s");
    assertThat(outcomes.get(2).said()).contains("noresvport");
  }

  @Test
  void aDiskOfThisMachineIsTold() {
    List<CheckOutcome> outcomes = look("tmpfs /tmp tmpfs rw 0 0");
    assertThat(outcomes).extracting(CheckOutcome::verdict).containsExactly(WARN);
    assertThat(outcomes.get(0).said())
        .isEqualTo("/mnt/cp/query is on / (overlay): a local filesystem of this machine");
  }

  @Test
  void aBucketDressedAsADirectoryFails() {
    assertThat(look("lake /mnt/cp fuse.s3fs rw 0 0"))
        .extracting(CheckOutcome::verdict)
        .containsExactly(FAIL);
  }

  @Test
  void theLastMountAtAPointHidesTheEarlierOne() {
    List<CheckOutcome> outcomes =
        new CheckpointMountCheck(
                new ScriptedMachine()
                    .directory("/mnt/my cp")
                    .file(
                        "/proc/mounts",
                        "nas:/a /mnt/my\\040cp nfs4 rw,soft 0 0",
                        "nas:/b /mnt/my\\040cp nfs4 rw,hard 0 0",
                        "nas:/c /mnt/my nfs4 rw,soft 0 0"),
                "/mnt/my cp")
            .look();
    assertThat(outcomes).extracting(CheckOutcome::verdict).containsExactly(PASS);
  }

  @Test
  void whatIsNotThereAndWhatCannotBeWrittenFails() {
    ScriptedMachine machine = machine("nas:/b /mnt/cp nfs4 rw,hard 0 0");
    assertThat(new CheckpointMountCheck(machine, "/mnt/other").look())
        .extracting(CheckOutcome::verdict)
        .containsExactly(FAIL);
    machine.readOnly("/mnt/cp/query");
    assertThat(new CheckpointMountCheck(machine, "/mnt/cp/query").look())
        .extracting(CheckOutcome::verdict)
        .containsExactly(PASS, FAIL);
  }
}
