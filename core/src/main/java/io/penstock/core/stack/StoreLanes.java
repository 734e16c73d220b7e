/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import io.penstock.core.caller.Callers;
import io.penstock.core.pool.Lane;
import io.penstock.core.pool.LanePool;
import io.penstock.core.pool.Lanes;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import java.util.concurrent.Executor;

/**
 * The shared thread pool as the store of one bucket uses it. Work that waits for different permits
 * runs in different lanes. Each piece of work counts for the task that submitted it.
 */
final class StoreLanes implements Lanes {
  private final LanePool pool;
  private final RateControl control;
  private final Callers callers;
  private final String bucket;
  private final Executor rest;

  /**
   * The last quarter of the connections is for others, such as a lease that must be renewed, and
   * for the few places that each further lane has of its own.
   */
  private final int widest;

  /**
   * @param requestsMax the most requests that the store sends at once
   */
  StoreLanes(LanePool pool, RateControl control, Callers callers, String bucket, int requestsMax) {
    this.pool = pool;
    this.control = control;
    this.callers = callers;
    this.bucket = bucket;
    this.widest = requestsMax - requestsMax / 4;
    Lane lane = new Lane(bucket, "", "");
    this.rest = callers.handedOverBy(work -> pool.execute(lane, work));
  }

  /** Runs work that makes requests of several kinds; such work has its own lane. */
  @Override
  public void execute(Runnable work) {
    rest.execute(work);
  }

  @Override
  public Widened widen() {
    return pool.widen(bucket, widest);
  }

  @Override
  public Executor reads(String bucket, String key) {
    return lane(new GroupId(bucket, Traffic.READ), key);
  }

  @Override
  public Executor writes(String bucket, String key) {
    return lane(new GroupId(bucket, Traffic.WRITE), key);
  }

  /**
   * Returns an executor that chooses the lane for each piece of work when it is submitted. The
   * partition of a key may change while a reader is open.
   */
  private Executor lane(GroupId group, String key) {
    return callers.handedOverBy(
        work -> {
          String partition = control.partitionOf(group, key);
          pool.execute(new Lane(group.bucket(), group.traffic().name(), partition), work);
        });
  }
}
