/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks up names in the same way as other programs on this machine. */
public interface Names {
  List<InetAddress> lookUp(String host) throws UnknownHostException;

  static Names ofTheMachine() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
