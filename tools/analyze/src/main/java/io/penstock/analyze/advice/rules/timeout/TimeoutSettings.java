/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.timeout;

import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.Version;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Knows which setting ends a slow request. The setting differs between versions of S3A.
 *
 * @param plugin the change that makes the job run on Penstock; empty if it already does
 */
record TimeoutSettings(
    Client client,
    Optional<Version> hadoop,
    Optional<String> requestTimeout,
    Optional<String> uploadTimeout,
    boolean isHedged,
    boolean isCut,
    Optional<Change> plugin) {
  static final String REQUEST = "fs.s3a.connection.request.timeout";
  static final String UPLOAD = "fs.s3a.connection.part.upload.timeout";
  private static final String HEDGE = "penstock.hedge.enabled";
  private static final String DEADLINE = "penstock.deadline.enabled";

  static TimeoutSettings of(JobSettings settings) {
    return new TimeoutSettings(
        settings.client(),
        settings.hadoopVersion(),
        settings.hadoop(REQUEST),
        settings.hadoop(UPLOAD),
        settings.hadoop(HEDGE).map(Boolean::parseBoolean).orElse(true),
        settings.hadoop(DEADLINE).map(Boolean::parseBoolean).orElse(true),
        settings.runsPenstock() ? Optional.empty() : Optional.of(settings.plugin()));
  }

  boolean areHedged() {
    return client == Client.PENSTOCK && plugin.isEmpty() && isHedged && isCut;
  }

  /**
   * Returns true for Hadoop 3.4.1 or later, which has a separate timeout for uploads
   * (HADOOP-19295).
   */
  boolean hasUploadTimeout() {
    return hadoop.map(version -> version.isAtLeast(3, 4, 1)).orElse(false);
  }

  /** Returns true for Hadoop 3.3 or later, which has a timeout for requests (HADOOP-16792). */
  boolean hasRequestTimeout() {
    return hadoop.map(version -> version.isAtLeast(3, 3, 0)).orElse(false);
  }

  /**
   * Returns true if the timeout is on by default. Hadoop 3.4.0 and later, with the SDK of version
   * 2, have 60 s; before, it is off.
   */
  boolean isOnByDefault() {
    return hadoop.map(version -> version.isAtLeast(3, 4, 0)).orElse(false);
  }

  String defaultOfRequest() {
    return isOnByDefault() ? "60s (default)" : "0, none (default)";
  }

  /**
   * Returns the timeout of requests. Before Hadoop 3.4.0, a number without a unit is seconds here;
   * since, it is milliseconds.
   */
  Optional<Long> requestMillis() {
    boolean isBare = requestTimeout.filter(text -> text.strip().matches("\\d+")).isPresent();
    long unit = isBare && !isOnByDefault() ? 1_000 : 1;
    return requestTimeout.flatMap(Amounts::millis).map(millis -> millis * unit);
  }

  /**
   * Returns the changes for the groups that have a timeout.
   *
   * @param longest the seconds that a timeout for all requests must allow
   */
  List<Change> changes(List<Timeout.Group> groups, int longest) {
    if (client == Client.PENSTOCK) {
      return penstock();
    }
    int upload = seconds(groups, true);
    int other = seconds(groups, false);
    List<Change> changes = new ArrayList<>();
    if (!canBeSet()) {
      changes.add(
          new Change(
              Target.OUTSIDE,
              "timeout of " + (upload > 0 ? "uploads" : "requests"),
              client == Client.EMRFS ? "no documented setting" : noSetting(),
              Math.max(upload, other)
                  + " s, with Hadoop 3.4.1 or later; or use Penstock's hedges instead"));
      return changes;
    }
    if (upload > 0
        && hasUploadTimeout()
        && isShorterUpload(upload)
        && ends(groups, this::hasOwn, upload)) {
      changes.add(hadoop(UPLOAD, uploadTimeout.orElse("15m (default)"), upload));
    }
    int request = requestSeconds(groups, longest);
    if (request > 0 && isShorter(request) && ends(groups, group -> !hasOwn(group), request)) {
      changes.add(hadoop(REQUEST, requestTimeout.orElse(defaultOfRequest()), request));
    }
    return changes;
  }

  /** Returns true if a timeout would end any of the slow requests that it applies to. */
  private static boolean ends(
      List<Timeout.Group> groups, Predicate<Timeout.Group> isApplied, int seconds) {
    return groups.stream()
        .filter(isApplied)
        .filter(group -> Timeout.choose(group).isPresent())
        .anyMatch(group -> isKnown(seconds) && group.latencies().over(seconds) > 0);
  }

  /** Returns true if it was counted how many requests took longer than so many seconds. */
  private static boolean isKnown(int seconds) {
    return LatencyHistogram.LIMITS.contains(seconds);
  }

  /** Returns true if a group has a timeout that other requests do not share. */
  boolean hasOwn(Timeout.Group group) {
    return isUpload(group.api()) && hasUploadTimeout();
  }

  private boolean canBeSet() {
    return client != Client.EMRFS && hasRequestTimeout();
  }

  /** Returns the timeout for all requests that have none of their own; 0 if none is due. */
  private int requestSeconds(List<Timeout.Group> groups, int longest) {
    int request = Math.max(seconds(groups, false), hasUploadTimeout() ? 0 : seconds(groups, true));
    int least = isOnByDefault() ? Limits.S3A_REQUEST_TIMEOUT_MIN_S : 0;
    return request == 0 ? 0 : roundedUp(Math.max(Math.max(least, longest), request));
  }

  /**
   * Returns the timeout that would apply to this group, set or not: it may have to be longer than
   * what would suit the group alone.
   */
  int secondsFor(Timeout.Group group, List<Timeout.Group> groups, int longest) {
    if (client == Client.PENSTOCK) {
      return Timeout.choose(group).orElseThrow();
    }
    if (!canBeSet()) {
      return Math.max(seconds(groups, true), seconds(groups, false));
    }
    return hasOwn(group) ? seconds(groups, true) : requestSeconds(groups, longest);
  }

  /** Returns true if a timeout of so many seconds would end this group's requests sooner. */
  boolean wouldShorten(Timeout.Group group, int seconds) {
    if (client == Client.PENSTOCK || !canBeSet()) {
      return true;
    }
    return hasOwn(group) ? isShorterUpload(seconds) : isShorter(seconds);
  }

  /** Returns true if the recommended changes end slow requests of this group. */
  boolean endsSlowOf(Timeout.Group group, List<Timeout.Group> groups, int longest) {
    int set = secondsFor(group, groups, longest);
    return wouldShorten(group, set) && isKnown(set) && group.latencies().over(set) > 0;
  }

  /** Returns true if this timeout ends requests sooner than the current one; 0 is no timeout. */
  private boolean isShorter(int seconds) {
    long now = requestMillis().orElse(isOnByDefault() ? Limits.S3A_REQUEST_TIMEOUT_S * 1_000L : 0L);
    return now == 0 || seconds * 1_000L < now;
  }

  private boolean isShorterUpload(int seconds) {
    long now = uploadTimeout.flatMap(Amounts::millis).orElse(Limits.S3A_UPLOAD_TIMEOUT_S * 1_000L);
    return now == 0 || seconds * 1_000L < now;
  }

  /** Returns the timeout that a group has now, as it is set or by default. */
  String now(Timeout.Group group) {
    return hasOwn(group)
        ? uploadTimeout.orElse("15m (default)")
        : requestTimeout.orElse(defaultOfRequest());
  }

  private String noSetting() {
    return hadoop.isEmpty()
        ? "Hadoop's version is not known"
        : "no setting in Hadoop " + hadoop.get();
  }

  private static Change hadoop(String name, String now, int seconds) {
    return new Change(Target.HADOOP, name, now, seconds + "s");
  }

  private List<Change> penstock() {
    List<Change> changes = new ArrayList<>();
    plugin.ifPresent(changes::add);
    if (!isHedged) {
      changes.add(new Change(Target.HADOOP, HEDGE, "false", "true"));
    }
    if (!isCut) {
      changes.add(new Change(Target.HADOOP, DEADLINE, "false", "true"));
    }
    return changes;
  }

  /**
   * Returns the timeout for all groups of uploads, or for all others. One setting applies to all
   * sizes, so it must leave time for the slowest normal transfer.
   */
  private static int seconds(List<Timeout.Group> groups, boolean isUpload) {
    int seconds = 0;
    int transfer = 0;
    for (Timeout.Group group : groups) {
      if (isUpload(group.api()) == isUpload) {
        seconds = Math.max(seconds, Timeout.choose(group).orElse(0));
        transfer = Math.max(transfer, group.transferSeconds());
      }
    }
    return seconds == 0 ? 0 : roundedUp(Math.max(seconds, transfer));
  }

  /** Returns a timeout whose effect is known: how many requests took longer was counted. */
  private static int roundedUp(int seconds) {
    return LatencyHistogram.LIMITS.stream()
        .filter(limit -> limit >= seconds)
        .findFirst()
        .orElse(seconds);
  }

  private static boolean isUpload(String api) {
    return api.equals("UploadPart") || api.equals("PutObject");
  }
}
