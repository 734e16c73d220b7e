/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.recent.LruCache;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks up the names of well-known stores with a dot at their end, so that the search list of
 * {@code resolv.conf} is not used; other names are looked up as they are written. Safe for many
 * threads. In a pod, where {@code ndots} is 5, each look-up of an S3 name would otherwise cause
 * four useless ones. A name that is not found with the dot, such as one in {@code /etc/hosts}, is
 * looked up as it is written.
 */
public final class AbsoluteNames implements Resolver {
  /**
   * Only domains that cannot be a name inside a cluster. For example, {@code minio.dev} is a
   * service inside a cluster and another owner's host on the Internet, which must not get our
   * requests.
   */
  private static final List<String> PUBLIC =
      List.of(
          ".amazonaws.com",
          ".amazonaws.com.cn",
          ".amazonaws.eu",
          ".api.aws",
          ".googleapis.com",
          ".cloudflarestorage.com",
          ".backblazeb2.com",
          ".digitaloceanspaces.com",
          ".wasabisys.com",
          ".svc.cluster.local");

  /**
   * The number of names that are kept. If the bucket is in the host name, each bucket has its own
   * name.
   */
  private static final int NAMES_MAX = 1_000;

  private final Resolver names;
  private final LruCache<String, Boolean> notAbsolute = new LruCache<>(NAMES_MAX);

  /**
   * @param names looks names up on this machine
   */
  AbsoluteNames(Resolver names) {
    this.names = names;
  }

  /**
   * Returns a resolver that looks names up with the JVM, which keeps an answer for 30 s unless it
   * is configured otherwise.
   */
  public static AbsoluteNames ofTheMachine() {
    return new AbsoluteNames(host -> List.of(InetAddress.getAllByName(host)));
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    if (PUBLIC.stream().noneMatch(host::endsWith) || notAbsolute.get(host).isPresent()) {
      return names.resolve(host);
    }
    List<InetAddress> found;
    try {
      found = names.resolve(host + ".");
    } catch (UnknownHostException e) {
      found = names.resolve(host);
      notAbsolute.put(host, true);
    }
    return named(host, found);
  }

  /**
   * Returns the addresses under the name without the dot, because the dot would appear in messages.
   */
  private static List<InetAddress> named(String host, List<InetAddress> found)
      throws UnknownHostException {
    List<InetAddress> named = new ArrayList<>();
    for (InetAddress address : found) {
      named.add(InetAddress.getByAddress(host, address.getAddress()));
    }
    return named;
  }
}
