/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.doctor.machine;

import io.penstock.insight.doctor.Check;
import io.penstock.insight.doctor.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether requests would go through a proxy that somebody has forgotten. */
public record ProxyCheck(Machine machine) implements Check {
  @Override
  public String name() {
    return "proxy";
  }

  @Override
  public List<Outcome> look() {
    return List.of(
        setting(machine)
            .map(
                name ->
                    Outcome.warn(
                        name(),
                        name + " is set: requests may go through that proxy",
                        "A proxy is one address for all executors, and a bottleneck: unset it, or"
                            + " put the store's host into NO_PROXY. Use a gateway endpoint instead"
                            + " inside a VPC."))
            .orElseGet(() -> Outcome.pass(name(), "none is set")));
  }

  /** What sets a proxy; not its value, which may carry a password. */
  public static Optional<String> setting(Machine machine) {
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
