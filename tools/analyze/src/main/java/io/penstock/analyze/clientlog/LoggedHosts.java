/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The hosts that a client sends requests to. Determines which of them are S3, and which contain a
 * bucket's name.
 */
final class LoggedHosts {
  private static final int MAX_SEEN = 64;
  private static final List<String> METADATA =
      List.of("169.254.", "[fd00:ec2:", "fd00:ec2:", "metadata.google.internal");

  private final Set<String> ofS3 = new LinkedHashSet<>();

  /** Records that a connection to a host was opened. */
  void opened(String host) {
    if (isS3(host) && ofS3.size() < MAX_SEEN) {
      ofS3.add(host);
    }
  }

  /**
   * Returns true if a host may be S3. A host of Amazon must have an S3 name. Any other host, except
   * a metadata service, is assumed to be S3, because S3 is the service that is most often
   * configured with a custom endpoint.
   */
  static boolean isS3(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return METADATA.stream().noneMatch(name::startsWith) && (!isAmazon(name) || s3Label(name) >= 0);
  }

  /** Returns the bucket that a host names; empty when the bucket is in the path. */
  static Optional<String> bucket(String host) {
    String name = withoutPort(host);
    if (!isAmazon(name.toLowerCase(Locale.ROOT))) {
      return Optional.empty();
    }
    int label = s3Label(name);
    return label > 0 ? Optional.of(name.substring(0, label - 1)) : Optional.empty();
  }

  /**
   * Returns the host of a request whose lines do not name it; empty unless exactly one host is
   * possible.
   */
  Optional<String> likely() {
    return ofS3.size() == 1 ? ofS3.stream().findFirst() : Optional.empty();
  }

  /** Returns true if the path of a request to an unknown host may contain the bucket. */
  boolean mayBeInPath() {
    return ofS3.isEmpty() || ofS3.stream().anyMatch(host -> bucket(host).isEmpty());
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  private static boolean isAmazon(String host) {
    String name = withoutPort(host);
    return name.endsWith(".amazonaws.com")
        || name.endsWith(".amazonaws.com.cn")
        || name.endsWith(".api.aws");
  }

  /**
   * Returns the position of the last label that is s3 or begins with s3-; -1 when there is none.
   */
  private static int s3Label(String name) {
    for (int at = name.lastIndexOf('.');
        at >= 0;
        at = at == 0 ? -1 : name.lastIndexOf('.', at - 1)) {
      if (isS3Label(name, at + 1)) {
        return at + 1;
      }
    }
    return isS3Label(name, 0) ? 0 : -1;
  }

  private static boolean isS3Label(String name, int start) {
    return name.startsWith("s3.", start)
        || name.startsWith("s3-", start)
        || name.startsWith("s3express-", start);
  }
}
