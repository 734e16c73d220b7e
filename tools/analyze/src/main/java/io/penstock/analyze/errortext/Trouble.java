/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A trouble that lines of logs name, beside the answers of S3 that {@link ErrorText} finds. */
public enum Trouble {
  ABORTED(
      "a job was given up, since one of its tasks failed too often",
      false,
      "failed \\d{1,6} times; aborting job"),
  /** Named by executor: several lines tell of one. */
  KILLED(
      "executors were killed for want of memory",
      true,
      "exceeding (?:physical |virtual )?memory limits|beyond (?:the"
          + " )?'?(?:PHYSICAL|VIRTUAL|physical|virtual)'? memory limit"
          + "|(?:[Rr]eason|REASON)[\"']?[:= ]{1,3}[\"']?OOMKilled|\\d/\\d +OOMKilled"),
  /** Spark writes "possible container OOM" beside any such code; nodes that go leave it, too. */
  SIGNAL(
      "executors ended by SIGKILL (137): memory ran out, or their node was taken away",
      true,
      "possible container OOM|exit(?:ed with exit)? code:? (?:is )?137\\b|Exit status: 137\\b"),
  /** Of those that lines above name, and of those that Spark gave back, nothing is lost. */
  LOST(
      "executors were lost",
      true,
      "Lost executor \\d{1,9} on (?!.{0,300}(?:killed by driver|by a user or the framework"
          + "|exited with code 0\\b|exit code: ?0\\b|[Dd]ecommission finished))"),
  HEAP("the JVM ran out of memory", false, "java\\.lang\\.OutOfMemoryError|GC overhead limit"),
  POOL(
      "no connection of the client's pool became free in time",
      false,
      "Timeout waiting for connection from pool|Acquire operation took longer than the configured"),
  REPLACED(
      "files were replaced or deleted after the query was planned",
      false,
      "underlying files have been updated"),
  MISSING(
      "files or directories were not there",
      false,
      "No such file or directory: s3|Path does not exist: s3|PATH_NOT_FOUND"),
  CREDENTIALS(
      "no credentials were found",
      false,
      "Unable to load (?:AWS )?credentials|No AWS Credentials provided|NoAuthWithAWSException"
          + "|Unable to locate credentials|NoCredentialsError"),
  CONNECTION(
      "connections broke or timed out",
      false,
      "Connection reset|Read timed out|NoHttpResponseException|UnknownHostException"
          + "|Connect timed out|ConnectTimeoutException|failed to respond"),
  DISK("a disk was full", false, "No space left on device");

  /** What all lines that tell of trouble contain one of, for a quick look. */
  static final String[] MARKS = {
    "xception", "rror", "xit ", "illed", "memory limit", "Lost executor", "aborting job"
  };

  /** This logger says each kill once, without a name. */
  private static final String ALLOCATOR = "YarnAllocator";

  private static final int BEFORE = 100;

  /** Times and the level. */
  private static final Pattern START =
      Pattern.compile(
          "^(?:\\[pod/[^ ]{1,200} )?[-\\d/:.,TZ +]{0,80}(?:\\[?(?:WARN|ERROR|INFO)\\]? )?");

  private static final Pattern EXECUTOR =
      Pattern.compile("(?i)\\bexecutor (?:with id )?(\\d{1,9})\\b");

  private final String words;
  private final boolean isOfExecutor;
  private final Pattern pattern;

  Trouble(String words, boolean isOfExecutor, String pattern) {
    this.words = words;
    this.isOfExecutor = isOfExecutor;
    this.pattern = Pattern.compile(pattern);
  }

  /** Returns a clause, such as "a disk was full". */
  public String words() {
    return words;
  }

  /** Returns the first trouble, in this order, that a line tells of. */
  static Optional<Trouble> in(String line) {
    for (Trouble trouble : values()) {
      if (trouble.pattern.matcher(line).find()) {
        return Optional.of(trouble);
      }
    }
    return Optional.empty();
  }

  /** Returns the part of a line that tells of this trouble, with some of what stands before it. */
  String example(String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.find() || matcher.end() <= Redaction.MAX_LABEL) {
      return Redaction.label(START.matcher(line).replaceFirst(""));
    }
    int word = line.indexOf(' ', Math.max(0, matcher.start() - BEFORE));
    return Redaction.label("…" + line.substring(Math.min(word, matcher.start())));
  }

  /** Returns the executor that a line names, if this trouble is one of executors. */
  Optional<String> executor(String line) {
    Matcher executor = EXECUTOR.matcher(line);
    return isOfExecutor && executor.find() ? Optional.of(executor.group(1)) : Optional.empty();
  }

  /**
   * Returns what tells one occurrence from another in lines that name no executor; empty if the
   * line only repeats what another says.
   */
  Optional<String> occurrence(String line, String place) {
    if (!isOfExecutor) {
      return Optional.of(place);
    }
    // Kubernetes' reason names no executor either.
    boolean isSaidOnce = line.contains(ALLOCATOR) || line.contains("OOMKilled");
    return isSaidOnce ? Optional.of(place + line) : Optional.empty();
  }
}
