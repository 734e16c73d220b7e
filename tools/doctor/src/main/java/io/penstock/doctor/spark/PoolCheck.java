/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/**
 * Checks that an executor has as many connections as its threads may need at the same time.
 *
 * @param keys the settings that this process knows
 */
public record PoolCheck(Job job, List<ConfigKey<?>> keys) implements Check {
  @Override
  public String name() {
    return "connections";
  }

  @Override
  public List<CheckOutcome> look() {
    return List.of(job.usesPenstock() ? penstock() : s3a());
  }

  private CheckOutcome penstock() {
    long pool = ours("penstock.connections.max", 256);
    long threads = ours("penstock.threads.max", 64);
    long cores = cores();
    return judge(
        pool,
        threads + 2 * cores,
        "penstock.connections.max",
        "one for each of %d threads, and two (a request and its hedge) for each of %d cores"
            .formatted(threads, cores));
  }

  /** Returns the value that is set under any of the setting's names. */
  private long ours(String name, long otherwise) {
    Settings settings = Settings.of(job.given().values());
    String value =
        keys.stream()
            .filter(key -> key.fullName().equals(name))
            .flatMap(key -> settings.sourceOf(key).stream())
            .findFirst()
            .flatMap(job.given()::get)
            .orElse("");
    return Quantity.count(value, otherwise);
  }

  private CheckOutcome s3a() {
    long pool = Quantity.count(job.effective("fs.s3a.connection.maximum"), 96);
    long threads = Quantity.count(job.effective("fs.s3a.threads.max"), 64);
    long ranges = Quantity.count(job.effective("fs.s3a.vectored.active.ranged.reads"), 0);
    long cores = cores();
    return judge(
        pool,
        threads + cores * (1 + ranges),
        "fs.s3a.connection.maximum",
        "one for each of %d upload threads, and %d for each of %d cores, to read ranges"
            .formatted(threads, 1 + ranges, cores));
  }

  private long cores() {
    return Quantity.count(job.effective("spark.executor.cores"), 4);
  }

  private CheckOutcome judge(long pool, long needed, String setting, String why) {
    String said = "%d connections; up to %d may be needed at once: %s".formatted(pool, needed, why);
    CheckOutcome outcome =
        pool < needed
            ? CheckOutcome.warn(
                name(),
                said,
                "Set %s=%d; otherwise threads wait for a connection.".formatted(setting, needed))
            : CheckOutcome.pass(name(), said);
    return outcome.with("connections", pool).with("wanted", needed);
  }
}
