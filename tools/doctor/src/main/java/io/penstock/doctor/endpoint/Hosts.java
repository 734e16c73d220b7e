/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

/** Determines facts about a host from its text only. */
final class Hosts {
  private Hosts() {}

  /** Returns true if the host is an IP address, which needs no lookup. */
  static boolean isAddress(String host) {
    return host.matches("[0-9.]+") || host.contains(":");
  }
}
