/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.Locale;

/** The severity of a figure or remark. The page shows it as a colour, and also says it in words. */
public enum Tone {
  BAD,
  WARN,
  GOOD,
  PLAIN;

  String cssClass() {
    return name().toLowerCase(Locale.ROOT);
  }
}
