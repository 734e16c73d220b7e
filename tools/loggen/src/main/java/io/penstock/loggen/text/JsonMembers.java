/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.text;

/** Writes JSON member by member. The caller is responsible for the order and the nesting. */
public final class JsonMembers {
  private final StringBuilder text = new StringBuilder();
  private boolean needsComma;

  /** Begins an object or an array. */
  public JsonMembers open(char bracket) {
    separate();
    text.append(bracket);
    needsComma = false;
    return this;
  }

  /** Ends an object or an array. */
  public JsonMembers close(char bracket) {
    text.append(bracket);
    needsComma = true;
    return this;
  }

  /** Adds the name of a member. */
  public JsonMembers name(String name) {
    separate();
    quoted(name);
    text.append(':');
    needsComma = false;
    return this;
  }

  /** Begins a member that is an object. */
  public JsonMembers object(String name) {
    return name(name).open('{');
  }

  /** Begins a member that is an array. */
  public JsonMembers array(String name) {
    return name(name).open('[');
  }

  /** Adds a member that is a text. */
  public JsonMembers put(String name, String value) {
    return name(name).value(value);
  }

  /** Adds a member that is a number. */
  public JsonMembers put(String name, long value) {
    return name(name).value(value);
  }

  /** Adds a member that is true or false. */
  public JsonMembers put(String name, boolean value) {
    return name(name).raw(Boolean.toString(value));
  }

  /** Adds a text. */
  public JsonMembers value(String value) {
    separate();
    quoted(value);
    return this;
  }

  /** Adds a number. */
  public JsonMembers value(long value) {
    return raw(Long.toString(value));
  }

  /** Adds a value that is already JSON. */
  public JsonMembers raw(String json) {
    separate();
    text.append(json);
    return this;
  }

  /** Adds a line end. */
  public JsonMembers newLine() {
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
