/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.logs;

import io.penstock.insight.input.Head;
import io.penstock.insight.input.LogFile;
import io.penstock.insight.input.LogFormat;
import io.penstock.insight.input.LogSource;
import io.penstock.insight.input.Unpacked;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Files, told apart by their content.
 *
 * @param requests logs of requests
 * @param unknown what is none of the logs known here
 */
record LogSet(List<LogFile> requests, List<Unknown> unknown) {
  private static final int HEAD_BYTES = 256 << 10;
  private static final Pattern PACKED = Pattern.compile("\\.(gz|gzip|zst|zstd|lz4|snappy|lzf)$");

  /** A file and why it is not read. */
  record Unknown(int number, LogSource source, String why) {}

  LogSet {
    requests = List.copyOf(requests);
    unknown = List.copyOf(unknown);
  }

  /** Looks at how each begins. */
  static LogSet of(List<LogSource> sources, KnownFormats formats) throws IOException {
    List<LogFile> requests = new ArrayList<>();
    List<Unknown> unknown = new ArrayList<>();
    for (int number = 0; number < sources.size(); number++) {
      LogSource source = sources.get(number);
      if (source.sizeBytes() == 0) {
        unknown.add(new Unknown(number, source, "empty"));
        continue;
      }
      try (Unpacked text = Unpacked.open(source.open(0))) {
        Head head = Head.of(baseName(source.name()), text.readNBytes(HEAD_BYTES));
        Optional<LogFormat> format = formats.of(source.name(), head);
        if (format.isPresent()) {
          requests.add(new LogFile(number, source, format.get(), text.packings()));
        } else {
          unknown.add(new Unknown(number, source, text.damage().orElse("no log known here")));
        }
      }
    }
    return new LogSet(requests, unknown);
  }

  private static String baseName(String name) {
    String base = name.substring(name.lastIndexOf('/') + 1);
    return PACKED.matcher(base).replaceFirst("");
  }
}
