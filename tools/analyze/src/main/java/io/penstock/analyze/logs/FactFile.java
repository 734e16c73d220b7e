/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.Packing;
import java.util.List;

/** A log that contains no requests but facts about the clients that sent them. */
record FactFile(int number, LogSource source, List<Packing> packings, Sort sort) {
  enum Sort {
    SPARK("Spark event log"),
    DNS("CoreDNS log");

    private final String title;

    Sort(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  FactFile {
    packings = List.copyOf(packings);
  }
}
