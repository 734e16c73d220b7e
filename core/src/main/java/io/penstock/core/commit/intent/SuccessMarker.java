/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.store.Body;
import io.penstock.core.text.JsonStrings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;

/** The kinds of {@code _SUCCESS}, which a job leaves when all its files are visible. */
public enum SuccessMarker {
  /** Writes no marker. An older marker is deleted all the same. */
  NONE,
  /** An empty object, as Hadoop's committers do. */
  EMPTY,
  /** A line of JSON that says which job it was and how much it wrote. */
  JSON;

  /** The name of the marker under the job's output. */
  public static final String NAME = "_SUCCESS";

  /** Returns true if the key is that of a marker, of whatever job. */
  public static boolean isOne(String key) {
    return key.equals(NAME) || key.endsWith("/" + NAME);
  }

  /**
   * Returns the marker's content.
   *
   * @param requests of the job's files and its commit, if somebody has counted them
   */
  public Body body(Intent intent, OptionalLong requests, Instant now) {
    if (this != JSON) {
      return Body.empty();
    }
    CommittingJob job = intent.job();
    long bytes = intent.files().stream().mapToLong(upload -> upload.sizeBytes()).sum();
    // Only a name has to be escaped: the texts of a job are plain.
    return json(
        "{\"committer\":\"penstock\"%s,\"job\":\"%s\",\"application\":\"%s\",\"host\":\"%s\",\"committed\":\"%s\",\"commitSeconds\":%.3f,\"files\":%d,\"bytes\":%d%s%s}",
        intent.name().map(name -> ",\"id\":" + quoted(name.text())).orElse(""),
        job.id(),
        job.application(),
        job.host(),
        now,
        Duration.between(job.started(), now).toMillis() / 1e3,
        intent.files().size(),
        bytes,
        number("rows", intent.rows()),
        number("requests", requests));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder();
    JsonStrings.append(quoted, text);
    return quoted.toString();
  }

  private static String number(String name, OptionalLong value) {
    return value.isPresent() ? ",\"" + name + "\":" + value.getAsLong() : "";
  }

  /** Returns the marker that is written when a job that deleted the old marker is undone. */
  public static Body restored(Intent undone) {
    return json(
        "{\"committer\":\"penstock\",\"restored\":true,\"undone\":\"%s\"}", undone.job().id());
  }

  private static Body json(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values) + "\n";
    return Body.ofBytes(line.getBytes(StandardCharsets.UTF_8));
  }
}
