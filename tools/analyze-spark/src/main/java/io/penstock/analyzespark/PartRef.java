/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.LogPart;
import io.penstock.analyze.input.Packing;
import io.penstock.analyze.logs.KnownFormats;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/** A {@link LogPart} in a form that can be sent to another machine. */
record PartRef(
    int file,
    String name,
    SourceRef source,
    String format,
    List<Packing> packings,
    long start,
    long end)
    implements Serializable {
  static PartRef of(LogPart part) {
    LogFile file = part.file();
    return new PartRef(
        file.number(),
        file.source().name(),
        SourceRef.of(file.source()),
        file.format().title(),
        file.packings(),
        part.start(),
        part.end());
  }

  LogPart part(WorkStores stores) throws IOException {
    LogFormat known = KnownFormats.named(format, name);
    return new LogPart(new LogFile(file, source.open(stores), known, packings), start, end);
  }
}
