/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import io.penstock.core.metrics.account.RequestSums;
import io.penstock.spark.ui.Report.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests over time, from the sums so far. Keeps a bounded number of points: when there are too
 * many, each two become one. For one thread.
 */
final class Series {
  private static final int POINTS_MAX = 600;

  private final List<Point> points = new ArrayList<>();
  private RequestSums before = RequestSums.NONE;
  private long beforeMillis;
  private long stepMillis;

  /**
   * @param startMillis the start of the counting
   * @param stepMillis least length of a point
   */
  Series(long startMillis, long stepMillis) {
    this.beforeMillis = startMillis;
    this.stepMillis = stepMillis;
  }

  /** Takes the sums of now, unless the last ones were taken less than a step ago. */
  void add(long nowMillis, RequestSums now) {
    long millis = nowMillis - beforeMillis;
    if (millis < stepMillis) {
      return;
    }
    points.add(
        new Point(
            nowMillis,
            millis,
            now.requests() - before.requests(),
            now.throttled() - before.throttled(),
            now.failed() - before.failed(),
            now.sentBytes() - before.sentBytes(),
            now.receivedBytes() - before.receivedBytes()));
    before = now;
    beforeMillis = nowMillis;
    if (points.size() > POINTS_MAX) {
      halve();
    }
  }

  private void halve() {
    List<Point> all = new ArrayList<>(points);
    points.clear();
    for (int i = 0; i < all.size(); i += 2) {
      points.add(i + 1 < all.size() ? joined(all.get(i), all.get(i + 1)) : all.get(i));
    }
    stepMillis *= 2;
  }

  private static Point joined(Point one, Point two) {
    return new Point(
        two.atMillis(),
        one.millis() + two.millis(),
        one.requests() + two.requests(),
        one.throttled() + two.throttled(),
        one.failed() + two.failed(),
        one.sentBytes() + two.sentBytes(),
        one.receivedBytes() + two.receivedBytes());
  }

  List<Point> points() {
    return List.copyOf(points);
  }
}
