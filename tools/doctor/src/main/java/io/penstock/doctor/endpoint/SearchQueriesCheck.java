/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.time.Time;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.endpoint.NameServer.Reply;
import io.penstock.doctor.machine.Machine;
import io.penstock.doctor.machine.ResolvConf;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Measures the cost of the search list for one lookup of the bucket's host, by sending the same
 * queries as a resolver.
 */
public record SearchQueriesCheck(
    Machine machine, Function<String, NameServer> servers, Time time, String host)
    implements Check {
  @Override
  public String name() {
    return "DNS queries";
  }

  @Override
  public Duration ceiling() {
    return Duration.ofSeconds(15);
  }

  @Override
  public List<CheckOutcome> look() {
    ResolvConf conf = ResolvConf.parse(machine.read("/etc/resolv.conf").orElse(""));
    if (conf.nameservers().isEmpty() || Hosts.isAddress(host)) {
      return List.of(
          CheckOutcome.skipped(name(), "not checked: no name server is used for " + host));
    }
    NameServer server = servers.apply(conf.nameservers().get(0));
    Map<Reply, Integer> replies = new EnumMap<>(Reply.class);
    long before = time.nowNanos();
    if (ask(server, host, replies)) {
      return List.of(silent(conf));
    }
    long plainMicros = (time.nowNanos() - before) / 1_000;
    int own = replies.values().stream().mapToInt(Integer::intValue).sum();
    for (String name : conf.before(host)) {
      if (ask(server, name, replies)) {
        return List.of(silent(conf));
      }
    }
    long wholeMicros = (time.nowNanos() - before) / 1_000;
    return List.of(judge(conf, replies, own, plainMicros, wholeMicros));
  }

  /** Asks for both types of a name. Returns true when the server does not answer. */
  private static boolean ask(NameServer server, String name, Map<Reply, Integer> replies) {
    for (String type : List.of("A", "AAAA")) {
      Reply reply = server.ask(name, type);
      replies.merge(reply, 1, Integer::sum);
      if (reply == Reply.SILENT) {
        return true;
      }
    }
    return false;
  }

  private CheckOutcome silent(ResolvConf conf) {
    return CheckOutcome.skipped(
        name(), "the name server %s did not answer".formatted(conf.nameservers().get(0)));
  }

  private CheckOutcome judge(
      ResolvConf conf, Map<Reply, Integer> replies, int own, long plainMicros, long wholeMicros) {
    int all = replies.values().stream().mapToInt(Integer::intValue).sum();
    int unknown = replies.getOrDefault(Reply.NO_SUCH_NAME, 0);
    String said =
        "a look-up with the search list needs %d DNS queries (%d end in NXDOMAIN) and %.1f ms; without the search list, it needs %d queries and %.1f ms"
            .formatted(all, unknown, wholeMicros / 1e3, own, plainMicros / 1e3);
    CheckOutcome outcome =
        all > own
            ? CheckOutcome.warn(
                name(),
                said,
                "Set ndots to 2 in the pod's dnsConfig: names made with the search list (%d) are queried"
                        .formatted(conf.before(host).size())
                    + " in vain.")
            : CheckOutcome.pass(name(), said);
    return outcome
        .with("queries", all)
        .with("nxdomain", unknown)
        .with("micros", wholeMicros)
        .with("microsOfTheName", plainMicros);
  }
}
