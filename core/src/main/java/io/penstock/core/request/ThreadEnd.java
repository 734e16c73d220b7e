/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import java.io.IOException;

/**
 * The end of a chain whose exchanges call a store. While the store works, the attempt is bound to
 * the thread: the SDK between the store and its HTTP client passes nothing through.
 */
public final class ThreadEnd implements Layer {
  @Override
  public <T> T send(Request<T> request, Context context, Exchange<T> exchange) throws IOException {
    context.attempt().isFor(request.operation(), context.caller().origin());
    Attempt outer = Attempt.bind(context.attempt());
    try {
      return exchange.send(context);
    } finally {
      context.attempt().onCut(null);
      Attempt.bind(outer);
    }
  }
}
