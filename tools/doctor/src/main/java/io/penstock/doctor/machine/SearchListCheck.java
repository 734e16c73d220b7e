/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;
import java.util.Optional;

/**
 * Checks if the search list in {@code resolv.conf} turns each lookup of the bucket's host into
 * several lookups.
 *
 * @param host the host of the bucket; if empty, a typical host of a bucket on AWS is used
 */
public record SearchListCheck(Machine machine, Optional<String> host) implements Check {
  private static final String FILE = "/etc/resolv.conf";

  /** A typical bucket host. It has 4 dots, one fewer than the usual ndots of 5 in a pod. */
  private static final String USUAL = "bucket.s3.us-east-1.amazonaws.com";

  @Override
  public String name() {
    return "search list";
  }

  @Override
  public List<CheckOutcome> look() {
    return List.of(
        machine
            .read(FILE)
            .map(text -> judge(ResolvConf.parse(text)))
            .orElseGet(() -> CheckOutcome.skipped(name(), "no " + FILE + " here")));
  }

  private CheckOutcome judge(ResolvConf conf) {
    String name = host.orElse(USUAL);
    if (name.matches("[0-9.]+|\\[.*")) {
      return CheckOutcome.pass(name(), name + " is an IP address, which needs no DNS");
    }
    List<String> inVain = conf.before(name);
    CheckOutcome outcome = inVain.isEmpty() ? fine(conf, name) : wasted(conf, name, inVain.size());
    return outcome
        .with("ndots", conf.ndots())
        .with("searchNames", conf.search().size())
        .with("wastedQueries", 2L * inVain.size());
  }

  private CheckOutcome fine(ResolvConf conf, String name) {
    return CheckOutcome.pass(
        name(),
        "ndots:%d, %d search domains; %s is looked up directly"
            .formatted(conf.ndots(), conf.search().size(), name));
  }

  private CheckOutcome wasted(ResolvConf conf, String name, int searched) {
    long dots = name.chars().filter(c -> c == '.').count();
    return CheckOutcome.warn(
        name(),
        ("ndots:%d, but %s has only %d dots, so each uncached look-up first tries %d names of the"
                + " search list; these %d queries (A and AAAA) are in vain")
            .formatted(conf.ndots(), name, dots, searched, 2 * searched),
        "Set in the pod's spec: dnsConfig: {options: [{name: ndots, value: \"2\"}]}. Penstock skips"
            + " the search list for AWS and other public stores; S3A, JDBC and Python do not.");
  }
}
