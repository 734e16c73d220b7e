/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.Claims;
import io.penstock.core.checkpoint.Writer;
import io.penstock.hadoop.checkpoint.Writers;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;

/** The runs that have claimed a checkpoint on a mounted filesystem, as seen by one of them. */
final class OtherRuns implements Writers {
  private final QueryWriter own;
  private final Function<Path, Claims> claimsAt;

  /**
   * @param claimsAt returns the claims of the checkpoint at a location
   */
  OtherRuns(QueryWriter own, Function<Path, Claims> claimsAt) {
    this.own = own;
    this.claimsAt = claimsAt;
  }

  @Override
  public long ownEpoch() {
    return own.get().epoch();
  }

  /** Returns 0 for a run without a claim, which no other run can overtake. */
  @Override
  public long newestEpoch() throws IOException {
    Optional<Path> checkpoint = own.checkpoint();
    return checkpoint.isPresent() ? claimsAt.apply(checkpoint.get()).newestEpoch() : 0;
  }

  /** A run is overtaken, too, if its claim is gone and another's is there. */
  @Override
  public boolean areOvertaking() throws IOException {
    Optional<Path> checkpoint = own.checkpoint();
    return checkpoint.isPresent()
        && (newestEpoch() > ownEpoch()
            || claimsAt.apply(checkpoint.get()).inPlaceOf(own.get()).isPresent());
  }

  @Override
  public String newest() throws IOException {
    Optional<Path> checkpoint = own.checkpoint();
    return checkpoint.isPresent()
        ? claimsAt.apply(checkpoint.get()).newest().map(Writer::toString).orElse("")
        : "";
  }
}
