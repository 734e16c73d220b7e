/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.recent.Recent;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks for a store's name with a dot at its end, so that the search list of {@code resolv.conf} is
 * left out: in a pod, where {@code ndots} is 5, each look-up of a name of S3's is four useless ones
 * more. A name that is not known so, as those of {@code /etc/hosts}, is asked for as it is written.
 */
public final class AbsoluteNames implements Resolver {
  /**
   * Only what cannot mean a name inside a cluster: {@code minio.dev} is a service there and
   * somebody's host on the Internet, who should not get our requests.
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

  /** The number of names that are kept; with the bucket in the host name there is one for each. */
  private static final int NAMES_MAX = 1_000;

  private final Resolver names;
  private final Recent<String, Boolean> notAbsolute = new Recent<>(NAMES_MAX);

  /**
   * @param names the machine's own look-up
   */
  AbsoluteNames(Resolver names) {
    this.names = names;
  }

  /** Looks names up by the JVM, which keeps an answer for 30 s unless it is told otherwise. */
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

  /** Without the dot, which would show in messages. */
  private static List<InetAddress> named(String host, List<InetAddress> found)
      throws UnknownHostException {
    List<InetAddress> named = new ArrayList<>();
    for (InetAddress address : found) {
      named.add(InetAddress.getByAddress(host, address.getAddress()));
    }
    return named;
  }
}
