/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.InputStream;
import java.io.OutputStream;

/** Slows the bytes of one connection. Each connection has its own instance. */
public interface Shaping {
  Shaping NONE =
      new Shaping() {
        @Override
        public InputStream in(InputStream raw) {
          return raw;
        }

        @Override
        public OutputStream out(OutputStream raw) {
          return raw;
        }
      };

  InputStream in(InputStream raw);

  OutputStream out(OutputStream raw);
}
