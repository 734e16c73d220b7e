/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.time.Time;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Checks that the bucket exists and can be listed, by listing one key below the prefix. */
public final class ListCheck implements Check {
  private final ObjectStore store;
  private final String prefix;
  private final Time time;
  private boolean isDenied;

  public ListCheck(ObjectStore store, String prefix, Time time) {
    this.store = store;
    this.prefix = prefix;
    this.time = time;
  }

  /** Returns true if the store has answered, but does not let these credentials list the bucket. */
  public boolean isDenied() {
    return isDenied;
  }

  @Override
  public String name() {
    return "list";
  }

  @Override
  public Duration ceiling() {
    return Duration.ofSeconds(15);
  }

  @Override
  public boolean isGate() {
    return true;
  }

  @Override
  public List<CheckOutcome> look() throws IOException {
    long before = time.nowNanos();
    try {
      ListPage page = store.list(ListRequest.flat(prefix).limit(1));
      long millis = (time.nowNanos() - before) / 1_000_000;
      String place = "s3://" + store.bucket() + "/" + prefix;
      String said = (page.isEmpty() ? "nothing is at " : "there is something at ") + place;
      return List.of(
          CheckOutcome.pass(
                  name(),
                  "%s (%,d ms, including the start of the S3 client)".formatted(said, millis))
              .with("listMillis", millis));
    } catch (StoreException e) {
      isDenied = e.kind() == StoreException.Kind.ACCESS_DENIED;
      return List.of(Refusal.of(name(), e));
    }
  }
}
