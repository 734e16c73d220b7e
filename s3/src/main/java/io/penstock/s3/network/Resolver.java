/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name. */
@FunctionalInterface
public interface Resolver {
  /**
   * Returns at least one address. Each call looks the name up again, unless the JVM's own cache has
   * it. May wait for the network. Called by many threads.
   *
   * @throws UnknownHostException when the name has no address, or no name server answers
   */
  List<InetAddress> resolve(String host) throws UnknownHostException;
}
