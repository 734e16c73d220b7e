/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.recent.LruCache;
import io.penstock.core.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an {@link AddressBook} for each host. A host is looked up when it is first used. Later
 * look-ups run in the background; if one fails, the known addresses stay.
 */
final class Addresses {
  private static final Logger LOG = LoggerFactory.getLogger(Addresses.class);
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F.]*:.*");

  /**
   * After a failed look-up, the next one is made only after this time. So requests that waited for
   * the failed look-up do not each repeat it.
   */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  private static final int HOSTS_MAX = 1_000;

  private final Resolver resolver;
  private final Duration ttl;
  private final Time time;
  private final Executor beside;

  /**
   * The number of hosts that are kept. If the bucket is in the host name, each bucket has its own
   * host. A host that was dropped is looked up again.
   */
  private final LruCache<String, Host> hosts = new LruCache<>(HOSTS_MAX);

  /**
   * @param ttl time from one look-up of a host to the next
   * @param beside runs the later look-ups
   */
  Addresses(Resolver resolver, Duration ttl, Time time, Executor beside) {
    this.resolver = resolver;
    this.ttl = ttl;
    this.time = time;
    this.beside = beside;
  }

  private final class Host {
    private final String name;
    private final AddressBook book = new AddressBook();
    private boolean known;
    private long dueNanos = Long.MIN_VALUE;

    Host(String name) {
      this.name = name;
    }

    /**
     * Returns true if the addresses are known. The first thread looks them up; other threads wait
     * for the same answer.
     */
    synchronized boolean isReady() {
      if (time.nowNanos() < dueNanos) {
        return known;
      }
      if (known) {
        dueNanos = time.nowNanos() + ttl.toNanos();
        askBeside();
      } else {
        known = ask();
        dueNanos = time.nowNanos() + (known ? ttl : ASK_AGAIN).toNanos();
      }
      return known;
    }

    private void askBeside() {
      try {
        beside.execute(this::ask);
      } catch (RejectedExecutionException e) {
        LOG.debug("{} is not looked up again: {}", name, e.toString());
      }
    }

    private boolean ask() {
      try {
        List<InetAddress> found = resolver.resolve(name);
        book.learn(found);
        return !found.isEmpty();
      } catch (UnknownHostException e) {
        LOG.debug("cannot look up {}: {}", name, e.toString());
        return false;
      }
    }
  }

  /** A request's booking at one address, until {@link #ended} is called. */
  final class Place {
    private final AddressBook book;
    private final InetAddress address;
    private boolean ended;

    private Place(AddressBook book, InetAddress address) {
      this.book = book;
      this.address = address;
    }

    InetAddress address() {
      return address;
    }

    /** Records the outcome of the request. Only the first call counts. */
    synchronized void ended(AddressBook.Outcome outcome) {
      if (!ended) {
        ended = true;
        book.ended(address, outcome, time.nowNanos());
      }
    }
  }

  /**
   * Chooses an address for a request. Returns empty if the host is an address itself, if DNS does
   * not know it, or if all addresses were tried.
   */
  Optional<Place> choose(String host, Set<InetAddress> tried, Optional<String> avoided) {
    if (LITERAL.matcher(host).matches()) {
      return Optional.empty();
    }
    Host known = hosts.computeIfAbsent(host, Host::new);
    if (!known.isReady()) {
      return Optional.empty();
    }
    return known
        .book
        .choose(tried, avoided, time.nowNanos())
        .map(address -> new Place(known.book, address));
  }

  /** Returns the number of hosts that are kept. */
  int size() {
    return hosts.size();
  }
}
