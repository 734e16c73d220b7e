/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.store.Reach;
import io.penstock.core.time.Time;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/**
 * Checks that the store's name has addresses, how many there are, and how long the lookup takes.
 */
public record LookupCheck(Names names, Time time, Reach reach) implements Check {
  /**
   * The longest normal lookup. A cluster's DNS answers within a few ms; a slower answer means a
   * distant server or a lost packet.
   */
  private static final long SLOW_MILLIS = 200;

  @Override
  public String name() {
    return "name lookup";
  }

  @Override
  public Duration ceiling() {
    return Duration.ofSeconds(8);
  }

  @Override
  public boolean isGate() {
    return true;
  }

  @Override
  public List<CheckOutcome> look() {
    String host = reach.bucketUrl().getHost();
    if (Hosts.isAddress(host)) {
      return List.of(CheckOutcome.pass(name(), host + " is an IP address, which needs no DNS"));
    }
    long before = time.nowNanos();
    try {
      List<InetAddress> addresses = names.lookUp(host);
      return List.of(judge(host, addresses, (time.nowNanos() - before) / 1_000_000));
    } catch (UnknownHostException e) {
      return List.of(unknown(host, (time.nowNanos() - before) / 1_000_000));
    }
  }

  private CheckOutcome judge(String host, List<InetAddress> addresses, long millis) {
    long ipv6 = addresses.stream().filter(Inet6Address.class::isInstance).count();
    String said =
        "%s: %d IPv4 and %d IPv6 addresses in %,d ms"
            .formatted(host, addresses.size() - ipv6, ipv6, millis);
    CheckOutcome outcome =
        millis > SLOW_MILLIS
            ? CheckOutcome.warn(
                name(),
                said,
                "Check the name server of this machine. In Kubernetes, use NodeLocal DNSCache and"
                    + " ndots=2. Penstock looks up names every 30 s in the background.")
            : CheckOutcome.pass(name(), said);
    return outcome
        .with("lookupMillis", millis)
        .with("ipv4Addresses", addresses.size() - ipv6)
        .with("ipv6Addresses", ipv6);
  }

  private CheckOutcome unknown(String host, long millis) {
    String said = "%s has no address (the look-up took %,d ms)".formatted(host, millis);
    if (!reach.isPathStyle() && !reach.isAws()) {
      String above = host.substring(host.indexOf('.') + 1);
      try {
        names.lookUp(above);
        return CheckOutcome.fail(
            name(),
            said + ", and " + above + " has one",
            "The store has no host name per bucket: set penstock.path.style=true"
                + " (fs.s3a.path.style.access=true).");
      } catch (UnknownHostException e) {
        // Neither name has an address, so the addressing style is not the cause.
      }
    }
    return CheckOutcome.fail(
        name(),
        said,
        "Correct penstock.endpoint or the name server in /etc/resolv.conf. For a store in the"
            + " cluster write the full name, such as minio.NAMESPACE.svc.cluster.local.");
  }
}
