/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import java.util.Optional;

/**
 * Watches every attempt that is sent to the store. Must be quick and must not fail. Called on the
 * thread that makes the attempt.
 */
@FunctionalInterface
public interface RequestObserver {
  /**
   * An attempt begins.
   *
   * @param nowNanos monotonic
   * @return receives the end of the attempt
   */
  End begins(Request<?> request, Context context, long nowNanos);

  /** Receives the end of an attempt. */
  @FunctionalInterface
  interface End {
    /** For an observer that does not care how an attempt ends. */
    End IGNORED = (request, context, ending) -> {};

    void ended(Request<?> request, Context context, Ending ending);
  }

  /**
   * Describes how an attempt ended.
   *
   * @param startNanos monotonic
   * @param endNanos by the same clock
   * @param failure empty if the attempt was answered as it should be
   */
  record Ending(long startNanos, long endNanos, Optional<Throwable> failure) {
    /** Returns how long the attempt took. */
    public long nanos() {
      return endNanos - startNanos;
    }
  }
}
