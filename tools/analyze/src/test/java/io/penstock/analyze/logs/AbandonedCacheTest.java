/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.LocalSource;
import io.penstock.analyze.input.ReadProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs leave in the cache that were killed. */
class AbandonedCacheTest {
  @TempDir private Path directory;

  @Test
  void aRunRemovesWhatAKilledOneLeftLongAgoAndNothingOfOneUnderWay() throws IOException {
    Path root = Files.createDirectory(directory.resolve("cache"));
    Path left = Files.createDirectory(root.resolve("aaaaaaaaaaaaaaaaaaaaaaaa.part-1"));
    Files.writeString(left.resolve("requests.parquet"), "half");
    Files.setLastModifiedTime(left, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
    Path underWay = Files.createDirectory(root.resolve("bbbbbbbbbbbbbbbbbbbbbbbb.part-2"));
    Path log = directory.resolve("log");
    Files.writeString(
        log, "o b [06/Feb/2012:00:00:38 -0500] - - 3E57 REST.HEAD.OBJECT k - 200 - 1 2 3 4 - -\n");

    LogOptions options = new LogOptions(Optional.of(root), 200, 1, Filter.NONE);
    LogData.open(List.of(LocalSource.of(log)), options, ReadProgress.NONE).close();

    assertThat(left).doesNotExist();
    assertThat(underWay).exists();
  }
}
