/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks if requests would go through a proxy that was set unintentionally.
 *
 * @param host the host of the bucket
 */
public record ProxyCheck(Machine machine, Optional<String> host) implements Check {
  @Override
  public String name() {
    return "proxy";
  }

  @Override
  public List<CheckOutcome> look() {
    return List.of(
        setting(machine, host)
            .map(
                name ->
                    CheckOutcome.warn(
                        name(),
                        name + " is set: requests may go through that proxy",
                        "A proxy is a bottleneck, and S3 sees all executors as one address. Unset"
                            + " the proxy, or add the store's host to NO_PROXY. In a VPC, use a"
                            + " gateway endpoint instead."))
            .orElseGet(() -> CheckOutcome.pass(name(), "the environment and the JVM set none")));
  }

  /** Returns true if a name in NO_PROXY is the host or a parent domain of the host. */
  private static boolean isExempt(String host, Machine machine) {
    return Stream.of("NO_PROXY", "no_proxy")
        .flatMap(key -> machine.environment(key).stream())
        .flatMap(list -> Stream.of(list.split("[,\\s]+", -1)))
        .map(name -> name.replaceFirst("^\\*?\\.?", ""))
        .filter(name -> !name.isEmpty())
        .anyMatch(name -> host.equals(name) || host.endsWith("." + name));
  }

  /**
   * Returns the name of the setting that sets a proxy for the host. The value is not returned,
   * because it may contain a password.
   */
  public static Optional<String> setting(Machine machine, Optional<String> host) {
    if (host.filter(name -> isExempt(name, machine)).isPresent()) {
      return Optional.empty();
    }
    Optional<String> property =
        Stream.of("https.proxyHost", "http.proxyHost")
            .filter(key -> machine.property(key).isPresent())
            .findFirst();
    return property.or(
        () ->
            Stream.of("HTTPS_PROXY", "HTTP_PROXY")
                .flatMap(key -> Stream.of(key, key.toLowerCase(Locale.ROOT)))
                .filter(key -> machine.environment(key).isPresent())
                .findFirst());
  }
}
