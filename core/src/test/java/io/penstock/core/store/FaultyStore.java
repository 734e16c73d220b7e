/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A store that fails by script and writes down what it was asked. Requests are numbered from 1, by
 * operation and all together; a request that fails is a request too.
 */
public final class FaultyStore extends StoreWrapper {
  /** Which request fails, and whether the store has acted by then. */
  private record Fault(Operation operation, int from, int to, Kind kind, boolean acted) {
    boolean strikes(Operation asked, int number, int total) {
      int count = operation == null ? total : number;
      return (operation == null || operation == asked) && count >= from && count <= to;
    }
  }

  private final List<Fault> faults = new ArrayList<>();
  private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
  private final List<String> log = new ArrayList<>();
  private int total;

  public FaultyStore(ObjectStore inner) {
    super(inner);
  }

  /** The n-th request of the operation fails, and the store does nothing. */
  public FaultyStore failBefore(Operation operation, int number, Kind kind) {
    return add(new Fault(operation, number, number, kind, false));
  }

  /** The store does what the n-th request of the operation asks, and its answer is lost. */
  public FaultyStore failAfter(Operation operation, int number, Kind kind) {
    return add(new Fault(operation, number, number, kind, true));
  }

  /** Every request of the operation fails, and the store does nothing. */
  public FaultyStore failAlways(Operation operation, Kind kind) {
    return add(new Fault(operation, 1, Integer.MAX_VALUE, kind, false));
  }

  /** The n-th request of all fails. */
  public FaultyStore failStep(int number, Kind kind, boolean acted) {
    return add(new Fault(null, number, number, kind, acted));
  }

  private synchronized FaultyStore add(Fault fault) {
    faults.add(fault);
    return this;
  }

  /** How often each operation was requested; those that never were are not in it. */
  public synchronized Map<Operation, Integer> requests() {
    return Map.copyOf(counts);
  }

  /** Every request in the order of its start, such as {@code PUT table/file}. */
  public synchronized List<String> log() {
    return List.copyOf(log);
  }

  /** Forgets the requests and the script. */
  public synchronized void reset() {
    faults.clear();
    counts.clear();
    log.clear();
    total = 0;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    Fault fault = book(operation, key);
    if (fault != null && !fault.acted()) {
      throw failure(fault.kind(), operation, key);
    }
    T answer = call.run();
    if (fault != null) {
      throw failure(fault.kind(), operation, key);
    }
    return answer;
  }

  private synchronized Fault book(Operation operation, String key) {
    total++;
    int number = counts.merge(operation, 1, Integer::sum);
    log.add(operation + " " + key);
    return faults.stream()
        .filter(fault -> fault.strikes(operation, number, total))
        .findFirst()
        .orElse(null);
  }

  private StoreException failure(Kind kind, Operation operation, String key) {
    return StoreException.of(
        kind, operation, "s3://" + bucket() + "/" + key, "scripted " + kind + ".");
  }
}
