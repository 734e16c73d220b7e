/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.format.Values;
import java.io.IOException;

/** Writes HTML elements. Escapes text and attribute values, so they are never read as markup. */
final class Html {
  private final Appendable out;

  Html(Appendable out) {
    this.out = out;
  }

  /** Writes markup as it is. The markup must be our own and never text from a log. */
  Html raw(String markup) throws IOException {
    out.append(markup);
    return this;
  }

  Html text(String text) throws IOException {
    return raw(escaped(Values.visible(text)));
  }

  /** Writes text and keeps its line breaks. */
  Html lines(String text) throws IOException {
    String separator = "";
    for (String line : text.split("\r?\n", -1)) {
      raw(separator).text(line);
      separator = "\n";
    }
    return this;
  }

  /**
   * Writes the opening tag of an element.
   *
   * @param attributes names and values, alternating
   */
  Html open(String tag, String... attributes) throws IOException {
    raw("<").raw(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      raw(" ").raw(attributes[i]).raw("=\"").text(attributes[i + 1]).raw("\"");
    }
    return raw(">");
  }

  Html close(String tag) throws IOException {
    return raw("</").raw(tag).raw(">");
  }

  /** Writes an element that contains only text. */
  Html element(String tag, String text, String... attributes) throws IOException {
    return open(tag, attributes).text(text).close(tag);
  }

  private static String escaped(String text) {
    StringBuilder escaped = null;
    for (int i = 0; i < text.length(); i++) {
      String entity =
          switch (text.charAt(i)) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> null;
          };
      if (entity != null && escaped == null) {
        escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (escaped != null) {
        if (entity == null) {
          escaped.append(text.charAt(i));
        } else {
          escaped.append(entity);
        }
      }
    }
    return escaped == null ? text : escaped.toString();
  }
}
