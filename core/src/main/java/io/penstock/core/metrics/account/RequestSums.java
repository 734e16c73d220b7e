/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

/**
 * Sums over attempts of requests.
 *
 * @param reads GET and HEAD
 * @param writes PUT, copies, and all requests of uploads except aborts
 * @param lists listings of objects, uploads and parts
 * @param deletes deletes and aborts, which S3 does not bill
 * @param misses attempts that were answered that there is no such object, or that a condition does
 *     not hold, and listings that found nothing
 * @param failed attempts that failed for another reason than these and throttling
 * @param throttled attempts that the store throttled
 * @param repeats attempts that were made because an earlier one had failed
 * @param hedges attempts that ran beside a slow one
 * @param sentBytes content bytes that the attempts carried
 * @param receivedBytes content bytes of successful GETs
 * @param busyNanos total duration of the attempts
 * @param waits waits for a permit of the rate control
 * @param waitedNanos total duration of these waits
 * @param nanoDollars what the attempts cost at S3's list price, in billionths of a dollar;
 *     throttled and failed ones cost nothing
 */
public record RequestSums(
    long reads,
    long writes,
    long lists,
    long deletes,
    long misses,
    long failed,
    long throttled,
    long repeats,
    long hedges,
    long sentBytes,
    long receivedBytes,
    long busyNanos,
    long waits,
    long waitedNanos,
    long nanoDollars) {
  private static final double NANO = 1e9;

  public static final RequestSums NONE =
      new RequestSums(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The end of an attempt. */
  public enum End {
    OK,
    /** There is no such object, a condition does not hold, or a listing found nothing. */
    MISS,
    THROTTLED,
    FAILED
  }

  /** An attempt that has ended. */
  public record Attempted(
      long nanos, long sentBytes, long receivedBytes, End end, boolean isRepeat, boolean isHedge) {}

  public RequestSums plus(RequestSums other) {
    return plus(other, 1);
  }

  RequestSums plus(RequestSums other, int times) {
    return new RequestSums(
        reads + times * other.reads,
        writes + times * other.writes,
        lists + times * other.lists,
        deletes + times * other.deletes,
        misses + times * other.misses,
        failed + times * other.failed,
        throttled + times * other.throttled,
        repeats + times * other.repeats,
        hedges + times * other.hedges,
        sentBytes + times * other.sentBytes,
        receivedBytes + times * other.receivedBytes,
        busyNanos + times * other.busyNanos,
        waits + times * other.waits,
        waitedNanos + times * other.waitedNanos,
        nanoDollars + times * other.nanoDollars);
  }

  /** Returns the number of all attempts. */
  public long requests() {
    return reads + writes + lists + deletes;
  }

  /** Returns what the requests cost at S3's list price, in dollars. */
  public double dollars() {
    return nanoDollars / NANO;
  }
}
