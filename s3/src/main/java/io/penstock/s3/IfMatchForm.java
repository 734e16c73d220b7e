/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.LruCache;
import io.penstock.core.store.Condition;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.answers.Answers;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out how a store wants the ETag in the If-Match of a PUT. HTTP wants it in quotes. Ceph (16
 * and 18 at least) compares it with the quotes to an ETag without them, so it refuses every such
 * PUT, although it takes the same ETag in a GET. SeaweedFS refuses an ETag without quotes.
 *
 * <p>So a PUT that is refused is sent again without quotes, until the store has accepted one form
 * of them. This is safe: whichever attempt takes effect, the object had the ETag at that moment.
 */
final class IfMatchForm {
  private static final Logger log = LoggerFactory.getLogger(IfMatchForm.class);

  private final String endpoint;
  private final Known known;

  private static final class Known {
    private volatile boolean isQuoted;
    private volatile boolean isBare;
  }

  /** Keeps what an engine has found out about its endpoints. */
  static final class Found {
    /** More endpoints than a process uses at a time. One beyond this limit is tried again. */
    private static final int MOST = 1000;

    private final LruCache<String, Known> endpoints = new LruCache<>(MOST);

    IfMatchForm of(S3Options options) {
      String endpoint = options.endpoint().shown();
      Known known =
          endpoints.computeIfAbsent(
              endpoint,
              name -> {
                Known fresh = new Known();
                fresh.isQuoted = options.endpoint().aws();
                return fresh;
              });
      return new IfMatchForm(endpoint, known);
    }
  }

  private IfMatchForm(String endpoint, Known known) {
    this.endpoint = endpoint;
    this.known = known;
  }

  /** A PUT with a condition. */
  @FunctionalInterface
  interface Put<T> {
    /**
     * Sends the request.
     *
     * @param ifMatch the value of its If-Match; null for none
     */
    T with(String ifMatch) throws IOException;
  }

  /** Sends a PUT. */
  <T> T send(Condition condition, Put<T> put) throws IOException {
    if (!(condition instanceof Condition.IfMatch match)) {
      return put.with(null);
    }
    if (known.isBare) {
      return put.with(match.etag());
    }
    try {
      T answer = put.with(Answers.quoted(match.etag()));
      known.isQuoted = true;
      return answer;
    } catch (StoreException e) {
      if (known.isQuoted || e.kind() != Kind.PRECONDITION_FAILED) {
        throw e;
      }
    }
    T answer = put.with(match.etag());
    known.isBare = true;
    log.info("{} takes an ETag in the If-Match of a PUT only without quotes", endpoint);
    return answer;
  }
}
