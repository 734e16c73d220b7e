/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.LatencyCounts;
import io.penstock.core.metrics.account.RequestAccount;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.metrics.account.Work;
import io.penstock.core.store.Operation;
import io.penstock.spark.account.AccountMessages.Told;
import io.penstock.spark.heartbeat.DriverSection;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Adds up for what all processes of the application have made requests. Safe for many threads. What
 * it keeps is bounded: stages and paths above a limit are summed under one name, and executors that
 * are gone keep their sums only.
 */
public final class DriverAccounts implements DriverSection {
  public static final String DRIVER = "driver";

  /** Stands for all executors above the limit. */
  public static final String REST = "(other executors)";

  private static final int WORKS_MAX = 10_000;
  private static final int PATHS_MAX = 2_000;
  private static final int EXECUTORS_MAX = 5_000;
  private static final byte[] TAKEN = {};

  /** A message of an executor that Spark has removed comes within seconds, if at all. */
  private static final int REMOVED_MAX = 1_000;

  private static final int ENDED_MAX = 10_000;

  private final RequestAccounts own;
  private final Map<String, Told> last = new HashMap<>();
  private final BoundedSums<String> executors = new BoundedSums<>(EXECUTORS_MAX, REST);
  private final Set<String> removed = new LinkedHashSet<>();
  private final Set<String> ended = new LinkedHashSet<>();
  private final Set<String> living = ConcurrentHashMap.newKeySet();
  private final BoundedSums<Work> works = new BoundedSums<>(WORKS_MAX, Work.REST);
  private final BoundedSums<String> paths = new BoundedSums<>(PATHS_MAX, RequestAccounts.REST);
  private final Map<Operation, LatencyCounts> latencies = new EnumMap<>(Operation.class);
  private final Map<Client, RequestSums> clients = new EnumMap<>(Client.class);
  private RequestSums total = RequestSums.NONE;

  /**
   * @param own of the driver's process; opened here, and nobody else must take from them
   */
  public DriverAccounts(RequestAccounts own) {
    this.own = own;
    own.open();
  }

  /** Returns the sums of the application, and those of each process. */
  public record Sums(RequestAccount total, Map<String, RequestSums> executors) {}

  @Override
  public String name() {
    return ExecutorAccounts.ACCOUNTS;
  }

  @Override
  public byte[] answer(String executor, byte[] question) throws IOException {
    Told told = AccountMessages.read(question);
    synchronized (this) {
      // A message that was overtaken by the last one has nothing that is not in the last one.
      if (!ended.contains(executor)) {
        Told before = last.put(executor, told);
        boolean isRepeated = before != null && before.number() == told.number();
        add(executor, isRepeated ? told.account().minus(before.account()) : told.account());
      }
    }
    return TAKEN;
  }

  /** Adds to the sums in place: Spark has one thread for the messages of all executors. */
  private void add(String executor, RequestAccount account) {
    account.works().forEach(works::add);
    account.paths().forEach(paths::add);
    account.clients().forEach((client, sums) -> clients.merge(client, sums, RequestSums::plus));
    account
        .latencies()
        .forEach((operation, counts) -> latencies.merge(operation, counts, LatencyCounts::plus));
    RequestSums sums = account.total();
    executors.add(executor, sums);
    total = total.plus(sums);
  }

  /** An executor has started; it is expected to say its last before the application ends. */
  public synchronized void executorAdded(String executor) {
    // In local mode the driver is one; and one that lived short may have said its last already.
    if (!executor.equals(DRIVER) && !ended.contains(executor)) {
      living.add(executor);
    }
  }

  /** An executor is gone; its last message may still come. */
  public synchronized void executorRemoved(String executor) {
    living.remove(executor);
    removed.add(executor);
    if (removed.size() > REMOVED_MAX) {
      String oldest = removed.iterator().next();
      removed.remove(oldest);
      forget(oldest);
    }
  }

  /** An executor has said that it tells nothing more. */
  public synchronized void saidLast(String executor) {
    living.remove(executor);
    forget(executor);
  }

  private void forget(String executor) {
    last.remove(executor);
    ended.add(executor);
    if (ended.size() > ENDED_MAX) {
      ended.remove(ended.iterator().next());
    }
  }

  /** Returns true if no executor may still tell something. */
  public boolean isComplete() {
    return living.isEmpty();
  }

  /** Returns all sums so far. */
  public synchronized Sums sums() {
    takeOwn();
    return new Sums(
        new RequestAccount(works.copy(), paths.copy(), Map.copyOf(clients), Map.copyOf(latencies)),
        executors.copy());
  }

  /** Returns the sums of all requests so far. */
  public synchronized RequestSums total() {
    takeOwn();
    return total;
  }

  /**
   * Returns the number of requests for event logs in a directory: for what is directly in it, and
   * in the directories that Spark makes for logs of several files.
   *
   * @param directory bucket and key, without a slash at its end
   */
  public synchronized long requestsOfLogs(String directory) {
    takeOwn();
    long[] found = {0};
    paths.forEach(
        (path, sums) -> {
          if (path.equals(directory) || path.startsWith(directory + "/eventlog_v2_")) {
            found[0] += sums.requests();
          }
        });
    return found[0];
  }

  /** Returns the sums of those of the queries that have made requests. */
  public synchronized Map<Long, RequestSums> ofQueries(Collection<Long> queries) {
    takeOwn();
    Set<Long> wanted = Set.copyOf(queries);
    Map<Long, RequestSums> found = new HashMap<>();
    works.forEach(
        (work, sums) -> {
          if (wanted.contains(work.query())) {
            found.merge(work.query(), sums, RequestSums::plus);
          }
        });
    return found;
  }

  private void takeOwn() {
    RequestAccount mine = own.take();
    if (!mine.isEmpty()) {
      add(DRIVER, mine);
    }
  }

  /** Ends the counting in this process. */
  public void close() {
    own.close();
  }

  /** Returns the sums of each query that has a number, over all its stages and the driver. */
  public static Map<Long, RequestSums> byQuery(RequestAccount account) {
    Map<Long, RequestSums> queries = new HashMap<>();
    account
        .works()
        .forEach(
            (work, sums) -> {
              if (work.query() >= 0) {
                queries.merge(work.query(), sums, RequestSums::plus);
              }
            });
    return queries;
  }
}
