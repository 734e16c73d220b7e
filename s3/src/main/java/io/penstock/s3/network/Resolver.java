/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name. */
@FunctionalInterface
public interface Resolver {
  /** At least one address; asks anew each time, or as often as the JVM's own cache lets it. */
  List<InetAddress> resolve(String host) throws UnknownHostException;
}
