/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.Body;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The kinds of {@code _SUCCESS}, which a job leaves when all its files are visible. */
public enum Marker {
  /** Nothing; an older marker goes all the same. */
  NONE,
  /** An empty object, as Hadoop's committers do. */
  EMPTY,
  /** A line of JSON that says which job it was and how much it wrote. */
  JSON;

  /** The name of the marker under the job's output. */
  public static final String NAME = "_SUCCESS";

  Body body(CommittingJob job, List<TaskUpload> uploads, Instant now) {
    if (this != JSON) {
      return Body.empty();
    }
    long bytes = uploads.stream().mapToLong(upload -> upload.pending().sizeBytes()).sum();
    // Nothing in the texts has to be escaped: a job has plain ones.
    return json(
        "{\"committer\":\"penstock\",\"job\":\"%s\",\"application\":\"%s\",\"host\":\"%s\",\"committed\":\"%s\",\"commitSeconds\":%.3f,\"files\":%d,\"bytes\":%d}",
        job.id(),
        job.application(),
        job.host(),
        now,
        Duration.between(job.started(), now).toMillis() / 1e3,
        uploads.size(),
        bytes);
  }

  /** Returns the marker to put back when the job that removed one is undone. */
  static Body restored() {
    return json("{\"committer\":\"penstock\",\"restored\":true}");
  }

  private static Body json(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values) + "\n";
    return Body.ofBytes(line.getBytes(StandardCharsets.UTF_8));
  }
}
