/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.store.Operation;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up the requests of this process until somebody takes the sums. Keeps nothing before {@link
 * #open}, since what nobody takes would only grow. Safe for many threads.
 */
public final class RequestAccounts {
  /**
   * A process has fewer stages and paths at a time; what is above is summed under {@link #REST}.
   */
  private static final int KEYS_MAX = 2_000;

  /** A key of S3 has at most so many bytes; a name that S3 would refuse may be longer. */
  private static final int PATH_MAX = 1_024;

  /** A shorter name of hexadecimal digits may be a word. */
  private static final int HASH_MIN = 8;

  /** Stands for all paths above the limit; no bucket has this name. */
  public static final String REST = "(other paths)";

  private volatile boolean isOpen;
  private Map<Work, RequestSums> works = new HashMap<>();
  private Map<String, RequestSums> paths = new HashMap<>();
  private Map<Operation, long[]> latencies = new EnumMap<>(Operation.class);

  /** Begins to add up; what was added up before is forgotten. */
  public synchronized void open() {
    isOpen = true;
    var unused = take();
  }

  /** Ends to add up, and forgets. */
  public synchronized void close() {
    isOpen = false;
    var unused = take();
  }

  /** Adds an attempt that has ended. */
  public void add(
      Operation operation, String bucket, String key, Origin origin, Attempted attempt) {
    if (!isOpen) {
      return;
    }
    String path = path(bucket, key, operation);
    int step = LatencyCounts.step(attempt.nanos());
    synchronized (this) {
      add(Work.of(origin), path, RequestSums.ofAttempt(operation, attempt));
      latencies.computeIfAbsent(operation, some -> new long[LatencyCounts.STEPS])[step]++;
    }
  }

  /** Adds a wait for a permit. */
  public void addWait(Operation operation, String bucket, String key, Origin origin, long nanos) {
    if (!isOpen) {
      return;
    }
    String path = path(bucket, key, operation);
    synchronized (this) {
      add(Work.of(origin), path, RequestSums.ofWait(nanos));
    }
  }

  private void add(Work work, String path, RequestSums sums) {
    boolean isKnown = works.size() < KEYS_MAX || works.containsKey(work);
    works.merge(isKnown ? work : Work.REST, sums, RequestSums::plus);
    boolean isKnownPath = paths.size() < KEYS_MAX || paths.containsKey(path);
    paths.merge(isKnownPath ? path : REST, sums, RequestSums::plus);
  }

  /** Returns what was added since the last call. */
  public synchronized RequestAccount take() {
    Map<Operation, LatencyCounts> counts = new EnumMap<>(Operation.class);
    latencies.forEach((operation, steps) -> counts.put(operation, new LatencyCounts(steps)));
    RequestAccount taken = new RequestAccount(works, paths, counts);
    works = new HashMap<>();
    paths = new HashMap<>();
    latencies = new EnumMap<>(Operation.class);
    return taken;
  }

  /**
   * Returns the bucket and the directory of a key, without what is below it of partitions ({@code
   * p=1}), of names that begin with {@code _} or a dot, such as {@code _temporary}, and of numbers
   * and hashes: so it is most often a table. The prefix of a listing may have no slash at its end,
   * or be a file's name with a slash.
   */
  static String path(String bucket, String key, Operation operation) {
    int end = 0;
    boolean isListing = operation == Operation.LIST;
    while (end < key.length()) {
      int slash = key.indexOf('/', end);
      int nameEnd = slash < 0 ? key.length() : slash;
      boolean isLast = nameEnd >= key.length() - 1;
      if (slash < 0 && !isListing) {
        break;
      }
      String name = key.substring(end, nameEnd);
      boolean isFile = isListing && isLast && hasExtension(name);
      if (isFile || isBelowTable(name)) {
        break;
      }
      end = slash < 0 ? key.length() : slash + 1;
    }
    int length = Math.min(end, PATH_MAX);
    boolean endsWithSlash = length > 0 && key.charAt(length - 1) == '/';
    return bucket + "/" + key.substring(0, endsWithSlash ? length - 1 : length);
  }

  private static boolean hasExtension(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0 && dot + 1 < name.length() && Character.isLetter(name.charAt(dot + 1));
  }

  /** Returns true for a partition, a hidden name, and a number or hash that spreads the keys. */
  private static boolean isBelowTable(String name) {
    if (name.startsWith("_") || name.startsWith(".") || name.contains("=")) {
      return true;
    }
    boolean isNumber = !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber
        || (name.length() >= HASH_MIN
            && name.chars().allMatch(c -> Character.digit(c, 16) >= 0 || c == '-')
            && name.chars().anyMatch(c -> c >= '0' && c <= '9'));
  }
}
