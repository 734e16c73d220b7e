/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import java.io.IOException;

/**
 * One link of the chain that a request passes. A layer does one thing: it repeats, waits, watches
 * or counts. It knows the layer after it, and sends each attempt through that layer. The last layer
 * sends the exchange itself.
 *
 * <p>A layer knows no store and no protocol, so the same chain serves a store, an HTTP client and a
 * simulation. Safe for use by many threads.
 */
public interface Layer {
  /** The end of a chain for exchanges that need nothing but the context. */
  Layer END =
      new Layer() {
        @Override
        public <T> T send(Request<T> request, Context context, Exchange<T> exchange)
            throws IOException {
          return exchange.send(context);
        }
      };

  /** Makes the request, blocks until it is answered, and returns the answer. */
  <T> T send(Request<T> request, Context context, Exchange<T> exchange) throws IOException;
}
