/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

/** Tells what can be told of a host by its text alone. */
final class Hosts {
  private Hosts() {}

  /** Returns true if it is an address, which nobody looks up. */
  static boolean isAddress(String host) {
    return host.matches("[0-9.]+") || host.contains(":");
  }
}
