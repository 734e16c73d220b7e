/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.VirtualTime;
import io.penstock.doctor.CheckOutcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LookupCheckTest {
  private static final String HOST = "lake.s3.us-east-1.amazonaws.com";

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);

  private Names knowing(Map<String, List<String>> known, Duration each) {
    return host -> {
      time.advance(each);
      if (!known.containsKey(host)) {
        throw new UnknownHostException(host);
      }
      List<InetAddress> addresses = new ArrayList<>();
      for (String address : known.get(host)) {
        addresses.add(InetAddress.getByName(address));
      }
      return addresses;
    };
  }

  private CheckOutcome look(Names names, ScriptedReach reach) {
    return new LookupCheck(names, time, reach).look().get(0);
  }

  @Test
  void addressesAreCountedByKindAndTheLookupIsTimed() {
    Names names = knowing(Map.of(HOST, List.of("10.0.0.1", "10.0.0.2", "fd00::1")), millis(7));
    CheckOutcome outcome = look(names, ScriptedReach.at("https://" + HOST + "/"));

    assertThat(outcome.verdict()).isEqualTo(PASS);
    assertThat(outcome.said()).isEqualTo(HOST + ": 2 IPv4 and 1 IPv6 addresses in 7 ms");
    assertThat(outcome.numbers())
        .isEqualTo(Map.of("lookupMillis", 7L, "ipv4Addresses", 2L, "ipv6Addresses", 1L));
  }

  @Test
  void aSlowNameServerIsTold() {
    Names names = knowing(Map.of(HOST, List.of("10.0.0.1")), millis(1_200));
    assertThat(look(names, ScriptedReach.at("https://" + HOST + "/")).verdict()).isEqualTo(WARN);
  }

  @Test
  void aStoreWithoutAHostForEachBucketNeedsPathStyle() {
    Names names = knowing(Map.of("minio.example", List.of("10.0.0.1")), millis(1));
    CheckOutcome outcome = look(names, ScriptedReach.at("http://lake.minio.example:9000/"));

    assertThat(outcome.verdict()).isEqualTo(FAIL);
    assertThat(outcome.fix()).contains("penstock.path.style=true");
  }

  @Test
  void anUnknownHostFailsAndAnAddressIsNotLookedUp() {
    Names nothing = knowing(Map.of(), millis(1));
    assertThat(look(nothing, ScriptedReach.at("http://nowhere.example/lake").pathStyle()).verdict())
        .isEqualTo(FAIL);
    assertThat(look(nothing, ScriptedReach.at("http://127.0.0.1:9000/lake")).verdict())
        .isEqualTo(PASS);
  }

  @Test
  void theRouteToAwsIsToldByTheAddresses() throws UnknownHostException {
    ScriptedReach aws = ScriptedReach.at("https://" + HOST + "/").aws();
    Names inside = knowing(Map.of(HOST, List.of("10.1.2.3")), millis(1));
    Names outside = knowing(Map.of(HOST, List.of("52.216.1.2")), millis(1));

    assertThat(new RouteCheck(inside, aws).look().get(0).said()).contains("interface endpoint");
    CheckOutcome open = new RouteCheck(outside, aws).look().get(0);
    assertThat(open.verdict()).isEqualTo(SKIPPED);
    assertThat(open.fix()).contains("describe-vpc-endpoints", "com.amazonaws.us-east-1.s3");
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
