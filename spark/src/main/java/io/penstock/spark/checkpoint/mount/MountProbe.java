/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint.mount;

import io.penstock.core.config.spark.SparkKeys;
import io.penstock.core.time.Time;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.hadoop.mount.MountAgreement;
import io.penstock.hadoop.mount.MountReport;
import io.penstock.hadoop.mount.MountToken;
import io.penstock.hadoop.mount.MountWitness;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that executors see a checkpoint on a mounted filesystem and can share it with the driver.
 * On a node without the mount, the path is a plain directory of that node, and state written there
 * is lost with the node.
 */
final class MountProbe {
  private static final Logger LOG = LoggerFactory.getLogger(MountProbe.class);

  /** The largest number of rounds of tasks. A busy executor may have no free core in one round. */
  private static final int ROUNDS = 5;

  private final Witnesses witnesses;
  private final Time time;

  MountProbe(Witnesses witnesses, Time time) {
    this.witnesses = witnesses;
    this.time = time;
  }

  /**
   * Asks the executors that run now and have a free core. Waits at most {@code
   * penstock.checkpoint.mount.wait}. Executors that start later are not asked. Returns at once in
   * local mode, for a temporary checkpoint, if the wait is 0, and if no executor runs.
   *
   * @param checkpoint an existing directory, without a scheme or with {@code file}
   * @throws IOException naming the executors that do not see the directory or cannot write there;
   *     also when the driver cannot write there
   */
  static void check(Time time, SparkContext spark, Path checkpoint) throws IOException {
    Duration wait = HadoopSettings.of(spark.hadoopConfiguration()).get(SparkKeys.MOUNT_WAIT);
    String directory = checkpoint.toUri().getPath();
    if (wait.isZero() || spark.isLocal() || isTemporary(directory)) {
      return;
    }
    new MountProbe(new SparkWitnesses(spark), time).check(directory, wait);
  }

  /**
   * Returns true for the directory that Spark makes on the driver for a query without a checkpoint
   * location.
   */
  static boolean isTemporary(String directory) {
    return directory.matches(".*/temporary-[0-9a-f-]{36}");
  }

  void check(String directory, Duration wait) throws IOException {
    if (witnesses.count() == 0) {
      LOG.info("No executor is running yet, so none was asked whether it sees {}", directory);
      return;
    }
    MountToken meeting = MountToken.in(java.nio.file.Path.of(directory));
    Optional<String> verdict;
    try {
      verdict = verdict(directory, meeting.token(), wait);
    } catch (IOException | RuntimeException e) {
      cleanUp(meeting).ifPresent(e::addSuppressed);
      throw e;
    }
    Optional<IOException> left = cleanUp(meeting);
    if (verdict.isPresent()) {
      throw new IOException(verdict.get(), left.orElse(null));
    }
    if (left.isPresent() && left.get() instanceof AccessDeniedException) {
      throw new IOException(
          "The driver cannot delete what executors write below " + directory, left.get());
    }
  }

  private Optional<String> verdict(String directory, String token, Duration wait)
      throws IOException {
    Map<String, MountReport> seen = new TreeMap<>();
    long endNanos = time.nowNanos() + wait.toNanos();
    for (int round = 0; round < ROUNDS && seen.size() < witnesses.count(); round++) {
      long leftNanos = endNanos - time.nowNanos();
      if (leftNanos <= 0) {
        break;
      }
      for (MountReport one : witnesses.ask(directory, token, Duration.ofNanos(leftNanos))) {
        seen.put(one.who(), one);
      }
    }
    LOG.info(
        "{} of {} executors answered whether they see {}",
        seen.size(),
        witnesses.count(),
        directory);
    MountReport driver = MountWitness.look(directory, token, "driver", "this host");
    return MountAgreement.of(directory, driver, new ArrayList<>(seen.values()));
  }

  /**
   * Deletes the token and returns the failure, if any. A task that was cancelled may still write
   * below the token, so a failure is not thrown here.
   */
  private static Optional<IOException> cleanUp(MountToken meeting) {
    try {
      meeting.close();
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("Could not delete {}", meeting.token(), e);
      return Optional.of(e);
    }
  }
}
