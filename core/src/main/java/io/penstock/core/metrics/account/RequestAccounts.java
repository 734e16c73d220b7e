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
  // Most requests follow one of the same path.
  private volatile String lastPath = "";
  private Map<Work, GrowingSums> works = new HashMap<>();
  private Map<String, GrowingSums> paths = new HashMap<>();
  private Map<Client, GrowingSums> clients = new EnumMap<>(Client.class);
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
      Client client,
      Operation operation,
      String bucket,
      String key,
      Origin origin,
      Attempted attempt) {
    if (!isOpen) {
      return;
    }
    String path = path(bucket, key, operation);
    int step = LatencyCounts.step(attempt.nanos());
    synchronized (this) {
      of(Work.of(origin)).add(operation, attempt);
      of(path).add(operation, attempt);
      clients.computeIfAbsent(client, some -> new GrowingSums()).add(operation, attempt);
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
      of(Work.of(origin)).addWait(nanos);
      of(path).addWait(nanos);
    }
  }

  private GrowingSums of(Work work) {
    boolean isKnown = works.size() < KEYS_MAX || works.containsKey(work);
    return works.computeIfAbsent(isKnown ? work : Work.REST, some -> new GrowingSums());
  }

  private GrowingSums of(String path) {
    boolean isKnown = paths.size() < KEYS_MAX || paths.containsKey(path);
    return paths.computeIfAbsent(isKnown ? path : REST, some -> new GrowingSums());
  }

  /** Returns what was added since the last call. */
  public synchronized RequestAccount take() {
    Map<Operation, LatencyCounts> counts = new EnumMap<>(Operation.class);
    latencies.forEach((operation, steps) -> counts.put(operation, new LatencyCounts(steps)));
    RequestAccount taken = new RequestAccount(sums(works), sums(paths), sums(clients), counts);
    clients = new EnumMap<>(Client.class);
    works = new HashMap<>();
    paths = new HashMap<>();
    latencies = new EnumMap<>(Operation.class);
    return taken;
  }

  private static <K> Map<K, RequestSums> sums(Map<K, GrowingSums> growing) {
    Map<K, RequestSums> sums = new HashMap<>();
    growing.forEach((key, some) -> sums.put(key, some.sums()));
    return sums;
  }

  /** Returns the bucket and the directory of a key. */
  String path(String bucket, String key, Operation operation) {
    int length = lengthOfPath(key, operation);
    String last = lastPath;
    int start = bucket.length() + 1;
    if (last.length() == start + length
        && last.charAt(start - 1) == '/'
        && last.startsWith(bucket)
        && last.regionMatches(start, key, 0, length)) {
      return last;
    }
    String path = bucket + "/" + key.substring(0, length);
    lastPath = path;
    return path;
  }

  /**
   * Returns how long the directory of a key is, without what is below it of partitions ({@code
   * p=1}), of names that begin with {@code _} or a dot, such as {@code _temporary}, and of numbers
   * and hashes: so it is most often a table. The prefix of a listing may have no slash at its end,
   * or be a file's name with a slash.
   */
  private static int lengthOfPath(String key, Operation operation) {
    int end = 0;
    boolean isListing = operation == Operation.LIST;
    while (end < key.length()) {
      int slash = key.indexOf('/', end);
      int nameEnd = slash < 0 ? key.length() : slash;
      boolean isLast = nameEnd >= key.length() - 1;
      if (slash < 0 && !isListing) {
        break;
      }
      boolean isFile = isListing && isLast && hasExtension(key, end, nameEnd);
      if (isFile || isBelowTable(key, end, nameEnd)) {
        break;
      }
      end = slash < 0 ? key.length() : slash + 1;
    }
    int length = Math.min(end, PATH_MAX);
    boolean endsWithSlash = length > 0 && key.charAt(length - 1) == '/';
    return endsWithSlash ? length - 1 : length;
  }

  private static boolean hasExtension(String key, int start, int end) {
    int dot = key.lastIndexOf('.', end - 1);
    return dot > start && dot + 1 < end && Character.isLetter(key.charAt(dot + 1));
  }

  /**
   * Returns true for a partition, a hidden name, and a number or hash that spreads the keys. Looks
   * at each character once and creates nothing, as each request asks this for each of its names.
   */
  private static boolean isBelowTable(String key, int start, int end) {
    if (start == end) {
      return false;
    }
    char first = key.charAt(start);
    if (first == '_' || first == '.') {
      return true;
    }
    boolean hasDigit = false;
    boolean isNumber = true;
    boolean isHash = end - start >= HASH_MIN;
    for (int i = start; i < end; i++) {
      char c = key.charAt(i);
      if (c == '=') {
        return true;
      }
      boolean isDigit = c >= '0' && c <= '9';
      hasDigit |= isDigit;
      isNumber &= isDigit;
      isHash &= c == '-' || Character.digit(c, 16) >= 0;
    }
    return isNumber || (isHash && hasDigit);
  }
}
