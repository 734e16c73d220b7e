/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.StoreException;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A check that writes temporary objects and deletes them again. */
abstract class WritingCheck implements Check {
  private final String name;
  private final Scratch scratch;

  WritingCheck(String name, Scratch scratch) {
    this.name = name;
    this.scratch = scratch;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Duration ceiling() {
    return Duration.ofSeconds(30);
  }

  @Override
  public final List<CheckOutcome> look() throws IOException {
    List<CheckOutcome> outcomes = new ArrayList<>();
    try {
      outcomes.add(tried());
    } catch (StoreException e) {
      outcomes.add(Refusal.of(name, e));
    } finally {
      List<String> left = scratch.remove();
      if (!left.isEmpty()) {
        outcomes.add(
            CheckOutcome.fail(
                name,
                "left over: " + String.join(", ", left),
                "Delete what is left over by hand. The credentials lack s3:DeleteObject or"
                    + " s3:AbortMultipartUpload under this prefix; commits need both"
                    + " permissions."));
      }
    }
    return outcomes;
  }

  /** Writes the temporary objects, verifies them and returns the outcome. */
  abstract CheckOutcome tried() throws IOException;
}
