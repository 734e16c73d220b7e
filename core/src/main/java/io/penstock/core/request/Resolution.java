/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.store.StoreException;
import java.io.IOException;

/**
 * Settles what the answers to a repeated request leave open. If an attempt was carried out and its
 * answer was lost, the next one may be refused because of it; only who knows the request can tell.
 * Every method has a default that changes nothing.
 */
public interface Resolution<T> {
  /** Returns the resolution of requests whose answers mean what they say. */
  @SuppressWarnings("unchecked") // Its defaults pass on what they are given.
  static <T> Resolution<T> none() {
    return (Resolution<T>) NoResolution.INSTANCE;
  }

  /** Sends another request in the place of the attempt that is to be settled. */
  @FunctionalInterface
  interface Look {
    <R> R send(Request<R> request, Exchange<R> exchange) throws IOException;
  }

  /**
   * The request failed for good, and the store may have carried out one of its attempts. Returns
   * the answer if it has; otherwise throws the failure.
   */
  default T afterLostAnswer(StoreException failure) throws IOException {
    throw failure;
  }

  /**
   * The request was answered, and the store may have carried out an earlier attempt, too. Throws if
   * the answer cannot be true.
   */
  default void confirm(T answer) throws IOException {}

  /**
   * The request has ended, in whatever way, and the answer of an attempt was lost between the store
   * and here. A throttled attempt does not count.
   */
  default void endedWithLostAnswer() {}

  /** An attempt was refused while another one was under way. Returns the answer, or throws. */
  default T refusedBesideAnother(StoreException refusal, Look look) throws IOException {
    throw refusal;
  }

  /** An attempt was answered while another one was under way. Returns the answer, or throws. */
  default T answeredBesideAnother(T answer, Look look) throws IOException {
    return answer;
  }

  /**
   * Returns true if the answer stays true even if another attempt takes effect after the one that
   * was answered.
   */
  default boolean isCertain(T answer) throws IOException {
    return true;
  }
}
