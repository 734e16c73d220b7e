/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * All objects under a prefix, in UTF-8 byte order of their keys. Pages are requested as they are
 * needed. Of a long listing, many are requested at once; this takes about a tenth more requests
 * than there are pages, at most. An object that exists from the first request to the last is listed
 * once. Not safe for several threads; not for threads of the pool, which must not wait for others.
 */
public final class Listing {
  /** Heap for an object that was listed ahead; an estimate. */
  private static final long BYTES_A_KEY = 400;

  private static final int PART_OF_HEAP = 16;

  private final ObjectStore store;
  private final String prefix;
  private final Executor pool;
  private final ListingPlan plan;
  private final Map<ListingShard, Ahead> ahead = new HashMap<>();

  private boolean isOutOfOrder;

  /** True after the first page was taken: whoever takes it may not want more. */
  private boolean hasReader;

  /**
   * @param prefix lists only keys that start with it; empty for all keys
   * @param pool makes requests beside those of the caller
   */
  public Listing(ObjectStore store, String prefix, Executor pool, ListConfig config) {
    this.store = store;
    this.prefix = prefix;
    this.pool = pool;
    long keysMax = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / BYTES_A_KEY;
    this.plan =
        new ListingPlan(prefix, store.traits().listsAfterAnyName(), config.pagesMax(), keysMax);
  }

  /** Receives objects of a listing. */
  @FunctionalInterface
  public interface Reader {
    void read(List<ObjectMeta> objects) throws IOException;
  }

  /** Gives all objects to the reader, some at a time. */
  public void forEach(Reader reader) throws IOException {
    for (List<ObjectMeta> next = next(); !next.isEmpty(); next = next()) {
      reader.read(next);
    }
  }

  /**
   * Returns the next objects, those of one page or of several; an empty list after the last one.
   * From the second call on, the requests for later pages are under way when it returns. After
   * another failure than the one below, it may be called again.
   *
   * @throws StoreException SERVER_ERROR when a store that is listed by several requests at once
   *     does not list in the order of its keys
   */
  public List<ObjectMeta> next() throws IOException {
    if (isOutOfOrder) {
      throw outOfOrder();
    }
    while (true) {
      collect();
      List<ObjectMeta> taken = plan.take();
      if (plan.isDone()) {
        return taken;
      }
      if (!taken.isEmpty()) {
        if (hasReader) {
          startAll(Optional.empty());
        }
        hasReader = true;
        return taken;
      }
      ListingShard front = plan.front();
      boolean isAhead = ahead.containsKey(front);
      startAll(Optional.of(front));
      answer(front, isAhead ? await(front) : list(front));
    }
  }

  /**
   * Starts the requests for all pages that the plan wants.
   *
   * @param own the stretch whose page the caller requests itself
   */
  private void startAll(Optional<ListingShard> own) {
    for (Optional<ListingShard> next = plan.next(); next.isPresent(); next = plan.next()) {
      if (!next.equals(own)) {
        ahead.put(next.get(), new Ahead(pool, store, next.get().request()));
      }
    }
  }

  private ListPage list(ListingShard stretch) throws IOException {
    try {
      return store.list(stretch.request());
    } catch (IOException | RuntimeException e) {
      plan.fail(stretch);
      throw e;
    }
  }

  private ListPage await(ListingShard stretch) throws IOException {
    try {
      return ahead.remove(stretch).await();
    } catch (IOException | RuntimeException e) {
      plan.fail(stretch);
      throw e;
    }
  }

  /** Takes in the pages that have arrived meanwhile. */
  private void collect() throws IOException {
    for (ListingShard stretch : List.copyOf(ahead.keySet())) {
      if (ahead.get(stretch).isThere()) {
        collect(stretch);
      }
    }
  }

  private void collect(ListingShard stretch) throws IOException {
    ListPage page;
    try {
      page = ahead.remove(stretch).await();
    } catch (IOException | RuntimeException e) {
      if (plan.fail(stretch)) {
        throw e;
      }
      return;
    }
    answer(stretch, page);
  }

  private void answer(ListingShard stretch, ListPage page) throws IOException {
    if (!plan.answer(stretch, page)) {
      isOutOfOrder = true;
      throw outOfOrder();
    }
  }

  private StoreException outOfOrder() {
    return StoreException.of(
        StoreException.Kind.SERVER_ERROR,
        Operation.LIST,
        prefix,
        "the store's listing is not sorted by key; set penstock.list.pages.max=1");
  }

  /** A page that is requested before it is needed. */
  private static final class Ahead {
    private final ObjectStore store;
    private final ListRequest request;
    private final CompletableFuture<ListPage> answer;

    /** Set by the thread that makes the request. */
    private final AtomicBoolean begun = new AtomicBoolean();

    Ahead(Executor pool, ObjectStore store, ListRequest request) {
      this.store = store;
      this.request = request;
      this.answer =
          Parallel.start(pool, () -> begun.compareAndSet(false, true) ? store.list(request) : null);
    }

    boolean isThere() {
      return answer.isDone();
    }

    /** Makes the request if no thread of the pool has begun it. So a full pool delays nobody. */
    ListPage await() throws IOException {
      if (begun.compareAndSet(false, true)) {
        return store.list(request);
      }
      try {
        return Cancellation.await(answer);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while listing " + request.prefix());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
      }
    }
  }
}
