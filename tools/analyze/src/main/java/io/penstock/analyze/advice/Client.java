/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/** The client between Spark and S3 whose settings apply. */
public enum Client {
  S3A("S3A"),
  EMRFS("EMRFS"),
  PENSTOCK("Penstock");

  private final String title;

  Client(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
