/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;

/** Checks that the store supports If-None-Match and If-Match on writes, by trying both. */
public final class ConditionalWriteCheck extends WritingCheck {
  private final Scratch scratch;

  public ConditionalWriteCheck(Scratch scratch) {
    super("conditional PUT", scratch);
    this.scratch = scratch;
  }

  @Override
  CheckOutcome tried() throws IOException {
    String key = scratch.newKey();
    scratch.put(key, Body.empty(), Condition.NONE);
    boolean ifNoneMatch = refuses(key, Condition.IF_ABSENT);
    boolean ifMatch = refuses(key, Condition.ifMatch("0".repeat(32)));
    if (ifNoneMatch && ifMatch) {
      return CheckOutcome.pass(name(), "If-None-Match and If-Match are honoured");
    }
    return CheckOutcome.warn(
        name(),
        "ignored: "
            + (ifNoneMatch ? "" : "If-None-Match")
            + (ifNoneMatch || ifMatch ? "" : ", ")
            + (ifMatch ? "" : "If-Match"),
        "On this store, Penstock cannot stop a second driver on the same checkpoint. Update the"
            + " store (MinIO 2024-11 or later, Ceph Squid or later), or make sure that only one"
            + " driver runs. See docs/checkpoints.md.");
  }

  private boolean refuses(String key, Condition condition) throws IOException {
    try {
      scratch.put(key, Body.empty(), condition);
      return false;
    } catch (StoreException e) {
      if (e.kind() == Kind.PRECONDITION_FAILED || e.kind() == Kind.CONFLICT) {
        return true;
      }
      if (e.kind() == Kind.UNSUPPORTED) {
        return false;
      }
      throw e;
    }
  }
}
