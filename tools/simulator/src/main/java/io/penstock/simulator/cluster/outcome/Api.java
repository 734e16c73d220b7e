/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.outcome;

import io.penstock.core.rate.report.Traffic;

/** The kinds of requests that a job sends. */
public enum Api {
  CREATE("CreateMultipartUpload", Traffic.WRITE),
  PART("UploadPart", Traffic.WRITE),
  COMPLETE("CompleteMultipartUpload", Traffic.WRITE),
  PUT("PutObject", Traffic.WRITE),
  GET("GetObject", Traffic.READ);

  private final String s3Name;
  private final Traffic traffic;

  Api(String s3Name, Traffic traffic) {
    this.s3Name = s3Name;
    this.traffic = traffic;
  }

  public String s3Name() {
    return s3Name;
  }

  /** Returns the kind of traffic that the request counts as. */
  public Traffic traffic() {
    return traffic;
  }
}
