/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.footer;

import io.penstock.core.request.Context;
import io.penstock.core.request.Request;
import io.penstock.core.request.RequestObserver;

/**
 * Makes {@link Footers} forget each object that this process changes, whether the attempt succeeded
 * or not: one that failed may have taken effect.
 */
public final class FooterForgetter implements RequestObserver, RequestObserver.End {
  private final String endpoint;
  private final Footers footers;

  /**
   * @param endpoint of the buckets whose requests are shown
   */
  public FooterForgetter(String endpoint, Footers footers) {
    this.endpoint = endpoint;
    this.footers = footers;
  }

  @Override
  public End begins(Request<?> request, Context context, long nowNanos) {
    return switch (request.operation()) {
      case PUT, COPY, DELETE, DELETE_ALL, COMPLETE_UPLOAD -> this;
      case GET,
          HEAD,
          LIST,
          CREATE_UPLOAD,
          UPLOAD_PART,
          COPY_PART,
          ABORT_UPLOAD,
          LIST_UPLOADS,
          LIST_PARTS ->
          End.IGNORED;
    };
  }

  @Override
  public void ended(Request<?> request, Context context, Ending ending) {
    if (request.keys().isEmpty()) {
      forget(request, request.key());
    } else {
      request.keys().forEach(key -> forget(request, key));
    }
  }

  private void forget(Request<?> request, String key) {
    footers.remove(new Footers.Name(endpoint, request.bucket(), key));
  }
}
