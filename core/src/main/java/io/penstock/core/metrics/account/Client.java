/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

/** The libraries whose requests are told apart: they share the engine of a process. */
public enum Client {
  PENSTOCK("Penstock"),
  S3A("S3A"),
  S3FILEIO("S3FileIO"),
  /** A program's own client. */
  SDK("AWS SDK");

  private final String title;

  Client(String title) {
    this.title = title;
  }

  /** Returns the name in logs and on pages. */
  public String title() {
    return title;
  }

  /** Returns the client of this title; that of Penstock's own file system if there is none. */
  public static Client titled(String title) {
    for (Client client : values()) {
      if (client.title.equals(title)) {
        return client;
      }
    }
    return PENSTOCK;
  }
}
