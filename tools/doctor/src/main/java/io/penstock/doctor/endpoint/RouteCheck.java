/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.store.Reach;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Reports the route to the store: addressing style, dual-stack, private or public addresses. */
public record RouteCheck(Names names, Reach reach) implements Check {
  @Override
  public String name() {
    return "route";
  }

  @Override
  public List<CheckOutcome> look() throws UnknownHostException {
    String host = reach.bucketUrl().getHost();
    String style = reach.isPathStyle() ? "path style" : "virtual-hosted style";
    if (!reach.isAws()) {
      return List.of(CheckOutcome.pass(name(), style));
    }
    String shown = style + (host.contains("dualstack") ? ", dual-stack" : "");
    boolean isPrivate = names.lookUp(host).stream().allMatch(RouteCheck::isPrivate);
    return List.of(
        isPrivate
            ? CheckOutcome.pass(
                name(),
                shown
                    + ", private addresses: requests go through an interface endpoint, which is"
                    + " billed per GB; a gateway endpoint is free")
            : CheckOutcome.skipped(
                name(),
                shown
                    + ", public addresses; this check cannot tell a gateway endpoint from a NAT"
                    + " gateway",
                "In a VPC, check with: aws ec2 describe-vpc-endpoints --filters"
                    + " Name=service-name,Values=com.amazonaws."
                    + reach.firstRegion()
                    + ".s3. Without a gateway endpoint, requests go through NAT, which is billed"
                    + " per GB, and S3 sees a single address."));
  }

  private static boolean isPrivate(InetAddress address) {
    return address.isSiteLocalAddress() || address.isLoopbackAddress();
  }
}
