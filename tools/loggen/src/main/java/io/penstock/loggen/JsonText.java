/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

/** Writes JSON member by member. The caller is responsible for the order and the nesting. */
final class JsonText {
  private final StringBuilder text = new StringBuilder();
  private boolean needsComma;

  JsonText open(char bracket) {
    separate();
    text.append(bracket);
    needsComma = false;
    return this;
  }

  JsonText close(char bracket) {
    text.append(bracket);
    needsComma = true;
    return this;
  }

  JsonText name(String name) {
    separate();
    quoted(name);
    text.append(':');
    needsComma = false;
    return this;
  }

  JsonText object(String name) {
    return name(name).open('{');
  }

  JsonText array(String name) {
    return name(name).open('[');
  }

  JsonText put(String name, String value) {
    return name(name).value(value);
  }

  JsonText put(String name, long value) {
    return name(name).value(value);
  }

  JsonText put(String name, boolean value) {
    return name(name).raw(Boolean.toString(value));
  }

  JsonText value(String value) {
    separate();
    quoted(value);
    return this;
  }

  JsonText value(long value) {
    return raw(Long.toString(value));
  }

  /** Adds a value that is already JSON. */
  JsonText raw(String json) {
    separate();
    text.append(json);
    return this;
  }

  JsonText newLine() {
    text.append('\n');
    return this;
  }

  private void separate() {
    if (needsComma) {
      text.append(',');
    }
    needsComma = true;
  }

  private void quoted(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
