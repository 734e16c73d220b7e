/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.Locale;

/** The ways in which something is to be taken; the page colours it so, and says it in words too. */
public enum Tone {
  BAD,
  WARN,
  GOOD,
  PLAIN;

  String cssClass() {
    return name().toLowerCase(Locale.ROOT);
  }
}
