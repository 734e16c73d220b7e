/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.machine.Mounts.Mount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that a directory is on a filesystem that is suitable for a checkpoint and is mounted with
 * the right options.
 *
 * @param path the path of the directory
 */
public record CheckpointMountCheck(Machine machine, String path) implements Check {
  private static final String NAME = "checkpoint mount";
  private static final String PAGE = " See docs/checkpoints.md#on-a-mounted-filesystem.";

  /** The timeout that AWS recommends for EFS: 60 s, in tenths of a second. */
  private static final long SHORT_TIMEO = 600;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<CheckOutcome> look() {
    Optional<String> real = machine.real(path);
    if (real.isEmpty()) {
      return List.of(
          CheckOutcome.fail(
              NAME,
              path + " is not there",
              "Mount the directory at the same path on the driver and on every executor, or use"
                  + " s3://."
                  + PAGE));
    }
    Optional<Mount> mount =
        machine.read("/proc/mounts").flatMap(text -> new Mounts(text).of(real.get()));
    if (mount.isEmpty()) {
      return List.of(CheckOutcome.skipped(NAME, "no /proc/mounts here", "Look with: mount"));
    }
    List<CheckOutcome> outcomes = new ArrayList<>(ofType(mount.get()));
    if (!machine.isWritable(real.get())) {
      outcomes.add(
          CheckOutcome.fail(
              NAME,
              path + " cannot be written by this user",
              "Make the directory writable for the user that runs the driver and the executors."
                  + PAGE));
    }
    return outcomes;
  }

  private List<CheckOutcome> ofType(Mount mount) {
    String where = "%s is on %s (%s)".formatted(path, mount.point(), mount.type());
    if (mount.isNfs()) {
      return nfs(mount, where);
    }
    if (mount.type().startsWith("fuse.") && mount.type().matches(".*(?:s3|goofys|rclone).*")) {
      return List.of(
          CheckOutcome.fail(
              NAME,
              where + ": a bucket mounted as a directory, where a rename copies the file",
              "Use the s3:// path instead: Penstock writes checkpoints there by conditional"
                  + " PUTs."));
    }
    return List.of(
        CheckOutcome.warn(
            NAME,
            where + ": a local filesystem of this machine",
            "Executors on other machines do not see this directory, and it is lost if this machine"
                + " is lost. Use s3://, or a filesystem that all machines mount."
                + PAGE));
  }

  private static List<CheckOutcome> nfs(Mount mount, String where) {
    List<CheckOutcome> outcomes = new ArrayList<>();
    if (mount.options().containsKey("soft") || mount.options().containsKey("softerr")) {
      outcomes.add(
          CheckOutcome.fail(
              NAME,
              where + ": mounted soft, so a late answer of the server fails the batch",
              "Mount it hard." + PAGE));
    }
    if (mount.options().containsKey("noac") || "0".equals(mount.options().get("actimeo"))) {
      outcomes.add(
          CheckOutcome.warn(
              NAME,
              where
                  + ": mounted without attribute cache, so each access to a file sends a request to"
                  + " the server",
              "Remove noac and actimeo=0 from the mount options; the checkpoint needs neither."
                  + PAGE));
    }
    timeo(mount, where).ifPresent(outcomes::add);
    if (mount.isEfs() && !mount.options().containsKey("noresvport")) {
      outcomes.add(
          CheckOutcome.warn(
              NAME,
              where + ": EFS, mounted without noresvport, so a lost connection may not come back",
              "Mount with nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,"
                  + "noresvport."));
    }
    if (outcomes.isEmpty()) {
      String streams = mount.options().getOrDefault("nconnect", "1");
      outcomes.add(
          CheckOutcome.pass(NAME, "%s, mounted hard, with nconnect=%s".formatted(where, streams)));
    }
    if (mount.isEfs()) {
      outcomes.add(credits(mount));
    }
    return outcomes;
  }

  private static Optional<CheckOutcome> timeo(Mount mount, String where) {
    String timeo = mount.options().getOrDefault("timeo", "");
    if (!timeo.matches("\\d{1,9}") || Long.parseLong(timeo) >= SHORT_TIMEO) {
      return Optional.empty();
    }
    return Optional.of(
        CheckOutcome.warn(
            NAME,
            "%s: timeo=%s is %.1f s, but a busy server needs longer"
                .formatted(where, timeo, Long.parseLong(timeo) / 10.0),
            "Mount with timeo=600,retrans=2." + PAGE));
  }

  private static CheckOutcome credits(Mount mount) {
    String id = mount.device().replaceFirst("(?i)^.*?(fs-[0-9a-f]+).*$", "$1");
    return CheckOutcome.skipped(
        "EFS credits",
        "visible only in CloudWatch",
        "Check BurstCreditBalance and PercentIOLimit of "
            + (id.startsWith("fs-") ? id : "the filesystem")
            + ": bursting throughput is 50 KiB/s for each GiB stored (1 TiB: 50 MiB/s); elastic"
            + " throughput has no such limit.");
  }
}
