/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.Reach;
import io.penstock.core.store.Reach.Identity;
import io.penstock.core.time.Time;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Reports the source of the credentials and when they expire. Never shows the key or the secret.
 */
public record CredentialsCheck(Reach reach, Time time) implements Check {
  private static final Duration SOON = Duration.ofMinutes(15);

  @Override
  public String name() {
    return "credentials";
  }

  /** Allows more time: outside EC2, the chain waits some seconds for the instance metadata. */
  @Override
  public Duration ceiling() {
    return Duration.ofSeconds(20);
  }

  @Override
  public boolean isGate() {
    return true;
  }

  @Override
  public List<CheckOutcome> look() {
    try {
      return List.of(judge(reach.identity()));
    } catch (IOException e) {
      // The adapter's error messages name a request, but no request was sent.
      String said = e.getMessage().replaceFirst("^LIST \\S+ ", "");
      return List.of(CheckOutcome.fail(name(), said, none()));
    }
  }

  private static String none() {
    return "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, set a profile (penstock.profile), or"
        + " give the pod or instance a role. For a public bucket set"
        + " penstock.credentials=anonymous.";
  }

  private CheckOutcome judge(Identity identity) {
    if (identity.isAnonymous()) {
      return CheckOutcome.pass(name(), "none are used: " + identity.source());
    }
    if (identity.expires().isEmpty()) {
      return CheckOutcome.pass(name(), "from " + identity.source());
    }
    Duration left = Duration.between(time.now(), identity.expires().get());
    String said = "from %s, good for %s".formatted(identity.source(), shown(left));
    CheckOutcome outcome =
        left.isNegative()
            ? CheckOutcome.fail(
                name(),
                "from %s, expired %s ago".formatted(identity.source(), shown(left.negated())),
                "Renew the credentials. Those of a pod's or instance's role are renewed"
                    + " automatically.")
            : left.compareTo(SOON) < 0
                ? CheckOutcome.warn(
                    name(),
                    said,
                    "A job that runs longer needs credentials that are renewed automatically: a"
                        + " role of the pod or instance, web identity, or penstock.role.arn.")
                : CheckOutcome.pass(name(), said);
    return outcome.with("secondsLeft", left.toSeconds());
  }

  private static String shown(Duration left) {
    return left.toHours() >= 2
        ? left.toHours() + " h"
        : left.toMinutes() >= 2 ? left.toMinutes() + " min" : left.toSeconds() + " s";
  }
}
