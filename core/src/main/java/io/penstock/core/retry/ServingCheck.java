/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.request.Context;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Retry;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a store serves other requests while it answers one with a server error. If it
 * does, the error belongs to that request, to its object or to its operation. If it does not, the
 * store has an outage. A request may be the only one of its process, so that no other request gives
 * the answer. Then this class sends one that asks for another object by another operation.
 */
final class ServingCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ServingCheck.class);

  /** A request that was served this recently shows that the store works. */
  private static final Duration RECENTLY = Duration.ofSeconds(1);

  private final Probe probe;
  private final EndpointHealth presence;
  private final Time time;

  ServingCheck(Probe probe, EndpointHealth presence, Time time) {
    this.probe = probe;
    this.presence = presence;
    this.time = time;
  }

  /**
   * Returns true if the store has served requests before and now serves none. All requests to the
   * endpoint together send at most one request a second to find out.
   *
   * @param failed the operation that the store has just answered with a server error
   * @throws InterruptedIOException when the thread is interrupted or its work is cancelled
   */
  boolean servesNobody(Operation failed, Context context) throws InterruptedIOException {
    long now = time.nowNanos();
    if (!presence.hasEverServed() || presence.hasServedSince(now - RECENTLY.toNanos())) {
      return false;
    }
    if (presence.beginsCheck(now)) {
      if (serves(failed, context)) {
        presence.served(now, time.nowNanos()).ifPresent(LOG::info);
      } else {
        presence.refused(now);
      }
    }
    return presence.hasRefusedTheLast();
  }

  private boolean serves(Operation failed, Context context) throws InterruptedIOException {
    try {
      probe.send(failed, context);
      return true;
    } catch (StoreException e) {
      // A refusal such as "no such key" or "access denied" is the work of a store that serves.
      return e.kind().retry() == Retry.NEVER;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // Nothing was learned, for example because the wait for a permit reached its limit.
      LOG.debug("could not find out whether the store serves other requests", e);
      return true;
    }
  }
}
