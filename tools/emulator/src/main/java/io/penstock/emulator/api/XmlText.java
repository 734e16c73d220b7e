/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

/** Escapes text for XML as S3 does. */
public final class XmlText {
  private XmlText() {}

  /**
   * Control characters become numeric references. XML 1.0 forbids most of those even so, and S3
   * sends them all the same; clients ask for {@code encoding-type=url} instead.
   */
  public static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        default -> {
          boolean plain = c >= ' ' && c != 127 && c != '\ufffe' && c != '\uffff';
          if (plain) {
            out.append(c);
          } else {
            out.append("&#x").append(Integer.toHexString(c)).append(';');
          }
        }
      }
    }
    return out.toString();
  }

  /** {@code <name>escaped value</name>}. */
  public static String element(String name, Object value) {
    return "<" + name + ">" + escape(value.toString()) + "</" + name + ">";
  }
}
