/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.timeout;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.facts.ToldTroubles;
import io.penstock.analyze.errortext.Trouble;
import io.penstock.tables.Label;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;

/** Rule R24: requests that failed because no connection of the client's pool became free. */
public final class ConnectionPool extends Rule {
  static final String OF_S3A = "fs.s3a.connection.maximum";
  private static final String OF_EMRFS = "fs.s3.maxConnections";

  public ConnectionPool() {
    super(
        new Label("R24", "connection-pool", "more connections to S3"),
        "core-default.xml of Hadoop 3.3 (96) and 3.4 (500); AWS, EMRFS: fs.s3.maxConnections",
        List.of(ToldTroubles.QUERY));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    long times = ToldTroubles.times(evidence, Trouble.POOL);
    JobSettings settings = evidence.settings();
    // Penstock's pools follow its threads.
    if (times == 0 || settings.client() == Client.PENSTOCK) {
      return Optional.empty();
    }
    String name = settings.client() == Client.EMRFS ? OF_EMRFS : OF_S3A;
    long now =
        settings
            .hadoop(name)
            .filter(text -> text.matches("\\d{1,9}"))
            .map(Long::parseLong)
            .orElse(byDefault(settings));
    Draft draft =
        draft(AdviceVerdict.DO)
            .because(
                "The logs tell %s that no connection of the pool became free in time: more threads"
                    + " and open streams held connections than the pool has.",
                Counted.of(times, "time"))
            .change(
                settings.change(
                    Target.HADOOP,
                    name,
                    now == 0 ? "by version" : Long.toString(now),
                    Long.toString(Math.max(Limits.CONNECTIONS, 2 * now))));
    return draft
        .effect(
            Confidence.MEDIUM, 0, "these requests, and the tasks that failed with them, succeed")
        .risk(
            "more sockets a process. Streams that a program opens and does not close hold a"
                + " connection each, however many there are: if the errors come back after a while,"
                + " look for these")
        .verify("the table troubles (penstock analyze --tables troubles)")
        .done();
  }

  private static long byDefault(JobSettings settings) {
    if (settings.client() == Client.EMRFS) {
      return Limits.EMRFS_CONNECTIONS;
    }
    return settings
        .hadoopVersion()
        .map(
            version ->
                version.isAtLeast(3, 4, 0) ? Limits.CONNECTIONS : Limits.CONNECTIONS_BEFORE_3_4)
        .orElse(0L);
  }
}
