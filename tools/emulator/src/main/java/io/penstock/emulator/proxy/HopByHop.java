/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import io.penstock.emulator.http.Headers;
import java.util.List;

/** The header fields that apply to one connection only and are not passed on. */
final class HopByHop {
  private static final List<String> NAMES =
      List.of(
          "Connection",
          "Keep-Alive",
          "Proxy-Authenticate",
          "Proxy-Authorization",
          "Proxy-Connection",
          "TE",
          "Trailer",
          "Transfer-Encoding",
          "Upgrade");

  private HopByHop() {}

  static Headers without(Headers headers) {
    Headers kept = headers.copy();
    for (String value : headers.all("Connection")) {
      for (String name : value.split(",", -1)) {
        kept.remove(name.strip());
      }
    }
    NAMES.forEach(kept::remove);
    return kept;
  }
}
