/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks names up as the programs of this machine do. */
public interface Names {
  List<InetAddress> lookUp(String host) throws UnknownHostException;

  static Names ofTheMachine() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
