/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import java.util.List;

/**
 * The two ways in which a request can name its bucket: in the path, or as a host name before one of
 * these domains.
 *
 * @param domains such as {@code localhost}; {@code *} stands for any domain that contains a dot and
 *     is not an IP address
 */
public record Addressing(List<String> domains) {
  public static final Addressing PATH_STYLE = new Addressing(List.of());
  public static final Addressing OF_LOCALHOST = new Addressing(List.of("localhost"));

  public Addressing {
    domains = List.copyOf(domains);
  }

  /** Returns the bucket named in this {@code Host} field, or the empty string. */
  String bucketIn(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    String host = colon < 0 ? hostAndPort : hostAndPort.substring(0, colon);
    for (String domain : domains) {
      if (host.endsWith("." + domain)) {
        return host.substring(0, host.length() - domain.length() - 1);
      }
    }
    boolean address = host.startsWith("[") || host.matches("[0-9.]+");
    return domains.contains("*") && host.indexOf('.') > 0 && !address
        ? host.substring(0, host.indexOf('.'))
        : "";
  }
}
