/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Context;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import io.penstock.core.retry.Probe;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import java.io.IOException;

/**
 * Asks a store for an object that no other request is about, by another operation than the one that
 * failed.
 *
 * @param end sends a request once
 * @param once the layers that the request passes, without retries
 */
public record StoreProbe(ObjectStore end, Layer once) implements Probe {
  /** The key that is asked for. No object needs to exist there: "no such key" is a good answer. */
  private static final String OTHER_KEY = "_penstock_presence";

  @Override
  public void send(Operation failed, Context context) throws IOException {
    if (failed == Operation.HEAD) {
      ListRequest one = ListRequest.flat(OTHER_KEY).limit(1);
      once.send(read(Operation.LIST), context, own -> end.list(one));
    } else {
      once.send(read(Operation.HEAD), context, own -> end.head(OTHER_KEY));
    }
  }

  private <T> Request<T> read(Operation operation) {
    Request<T> request = Request.of(operation, end.bucket(), OTHER_KEY);
    return request.doubled(Doubling.ANY_TIME);
  }
}
