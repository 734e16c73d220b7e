/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.report;

import java.io.Serializable;

/** A bucket and a kind of traffic. Reports and leases are made for each such pair. */
public record GroupId(String bucket, Traffic traffic) implements Serializable {
  private static final long serialVersionUID = 1L;
}
