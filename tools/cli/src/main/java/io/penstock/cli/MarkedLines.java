/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import java.io.PrintStream;
import java.io.Writer;

/**
 * Writes whole lines and puts a mark before each, so that a reader can tell them from other lines.
 */
final class MarkedLines extends Writer {
  private final String mark;
  private final PrintStream out;
  private final StringBuilder line = new StringBuilder();

  MarkedLines(String mark, PrintStream out) {
    this.mark = mark;
    this.out = out;
  }

  @Override
  public void write(char[] text, int start, int count) {
    for (int i = start; i < start + count; i++) {
      if (text[i] == '\n') {
        end();
      } else if (text[i] != '\r') {
        line.append(text[i]);
      }
    }
  }

  private void end() {
    out.println(mark + line);
    line.setLength(0);
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    if (line.length() > 0) {
      end();
    }
    flush();
  }
}
