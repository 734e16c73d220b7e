/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.simulator.cluster.scenario.StoreSpec;
import io.penstock.simulator.cluster.scenario.TenantSpec;
import java.util.SplittableRandom;

/**
 * The token bucket of one front end of a partition for one kind of traffic. Other tenants use the
 * same tokens.
 */
final class FrontEndBucket {
  /** Rejections postpone the next request by at most this time. */
  private static final double DEBT_SECONDS = 0.25;

  private final double limit;
  private final StoreSpec spec;
  private final double tenantRate;
  private final TenantSpec tenant;
  private final SplittableRandom tenantChance;
  private final boolean ideal;

  private double level;
  private double at;
  private double nextTenant = Double.POSITIVE_INFINITY;

  FrontEndBucket(
      double limit,
      StoreSpec spec,
      TenantSpec tenant,
      SplittableRandom tenantChance,
      boolean ideal,
      double now) {
    this.limit = limit;
    this.spec = spec;
    this.tenant = tenant;
    this.tenantRate = limit * tenant.share();
    this.tenantChance = tenantChance;
    this.ideal = ideal;
    this.at = now;
    this.level = rate(now) * spec.burst();
    if (tenantRate > 0) {
      nextTenant = afterPause(now + gap());
    }
  }

  /**
   * Returns true if a request is admitted. A rejected request costs a part of a token.
   *
   * @param cost tokens that the request costs if it is admitted
   */
  boolean admits(long nowNanos, double cost) {
    double now = nowNanos / 1e9;
    serveTenants(now);
    fill(now);
    return take(cost);
  }

  /** Returns the time until a waiting request can be admitted if no other request arrives. */
  long nanosUntilFree(long nowNanos, double cost) {
    return Math.max(1, (long) Math.ceil((cost - level) / rate(nowNanos / 1e9) * 1e9));
  }

  void audit() {
    double most = limit * spec.burst() + 1e-6;
    if (level > most || (!ideal && level < -mostDebt() - 1e-6)) {
      throw new IllegalStateException("%f tokens, burst %f".formatted(level, most));
    }
  }

  private boolean take(double cost) {
    if (level >= cost - 1e-9) {
      level -= cost;
      return true;
    }
    if (!ideal) {
      level = Math.max(-mostDebt(), level - spec.phi());
    }
    return false;
  }

  private double mostDebt() {
    return limit * Math.min(DEBT_SECONDS, spec.burst());
  }

  private void serveTenants(double now) {
    while (nextTenant <= now) {
      fill(nextTenant);
      if (!take(1) && ideal) {
        level -= 1;
      }
      nextTenant = afterPause(nextTenant + gap());
    }
  }

  private double gap() {
    return -Math.log(1 - tenantChance.nextDouble()) / tenantRate;
  }

  private double afterPause(double time) {
    if (tenant.off().isZero()) {
      return time;
    }
    double on = tenant.on().toNanos() / 1e9;
    double period = on + tenant.off().toNanos() / 1e9;
    double phase = time % period;
    return phase < on ? time : time - phase + period;
  }

  private void fill(double now) {
    double rate = rate((at + now) / 2);
    level = Math.min(limit * spec.burst(), level + (now - at) * rate);
    at = now;
  }

  private double rate(double now) {
    if (spec.coldShare() == 1) {
      return limit;
    }
    double warm = Math.min(1, now * 1e9 / spec.warmAfter().toNanos());
    return limit * (spec.coldShare() + (1 - spec.coldShare()) * warm);
  }
}
