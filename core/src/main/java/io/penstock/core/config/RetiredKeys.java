/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names of keys that Penstock had, and what a user who still sets one does now. A similar name
 * would be wrong: {@code rate.min} is not {@code rate.max}.
 */
final class RetiredKeys {
  private static final Map<String, String> INSTEAD = instead();

  private RetiredKeys() {}

  /** Returns what to do with the key of this name, if there once was one. */
  static Optional<String> instead(String name) {
    return Optional.ofNullable(INSTEAD.get(name));
  }

  static Set<String> names() {
    return INSTEAD.keySet();
  }

  private static Map<String, String> instead() {
    Map<String, String> instead = new HashMap<>();
    for (String constant :
        List.of(
            "upload.parts.active",
            "upload.buffer.wait.max",
            "read.range.first",
            "read.range.max",
            "read.merge.gap",
            "read.merge.max",
            "retry.delay.max",
            "retry.task.duration.max",
            "rate.target",
            "rate.min",
            "rate.report.period",
            "rate.lease",
            "rate.wait.max",
            "hedge.quantile",
            "hedge.budget",
            "hedge.delay.min",
            "deadline.max",
            "deadline.stall",
            "commit.inline.job.max",
            "connection.ttl",
            "dns.spread",
            "dns.ttl")) {
      instead.put(constant, "its value is fixed now. Remove the setting.");
    }
    for (String longer : List.of("retry.commit.duration.max", "retry.throttled.duration.max")) {
      instead.put(
          longer,
          "the limit is 15 minutes, or penstock.retry.duration.max if that is longer. Remove the"
              + " setting.");
    }
    instead.put(
        "commit.inline.task.max",
        "the limit is three quarters of spark.task.maxDirectResultSize. Remove the setting.");
    instead.put("retry.throttled.attempts.max", "set fs.s3.aimd.maxAttempts.");
    instead.put("attempt.upload.timeout", "set fs.s3a.connection.part.upload.timeout.");
    instead.put("rate.aimd.enabled", "set penstock.rate.policy=aimd.");
    instead.put("rate.aimd.initial.rate", "set fs.s3.aimd.initialRate.");
    instead.put("rate.aimd.min.rate", "set fs.s3.aimd.minRate.");
    instead.put("rate.aimd.increase.increment", "set fs.s3.aimd.increaseIncrement.");
    instead.put("rate.aimd.reduction.factor", "set fs.s3.aimd.reductionFactor.");
    instead.put("rate.aimd.adjust.window", "set fs.s3.aimd.adjustWindow.");
    return Map.copyOf(instead);
  }
}
