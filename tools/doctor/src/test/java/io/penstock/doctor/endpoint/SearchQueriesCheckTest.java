/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.VirtualTime;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.endpoint.NameServer.Reply;
import io.penstock.doctor.machine.ScriptedMachine;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchQueriesCheckTest {
  private static final String HOST = "lake.s3.us-east-1.amazonaws.com";

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final List<String> asked = new ArrayList<>();

  private CheckOutcome look(int ndots, NameServer server) {
    ScriptedMachine machine =
        new ScriptedMachine()
            .file(
                "/etc/resolv.conf",
                "nameserver 10.96.0.10",
                "search spark.svc.cluster.local svc.cluster.local",
                "options ndots:" + ndots);
    return new SearchQueriesCheck(machine, address -> server, time, HOST).look().get(0);
  }

  private Reply answer(String name, String type) {
    time.advance(Duration.ofMillis(2));
    asked.add(type + " " + name);
    return name.equals(HOST) ? type.equals("A") ? Reply.FOUND : Reply.NOTHING : Reply.NO_SUCH_NAME;
  }

  @Test
  void whatASearchListCostsIsCounted() {
    CheckOutcome outcome = look(5, this::answer);

    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said())
        .isEqualTo(
            "a look-up with the search list needs 6 DNS queries (4 end in NXDOMAIN) and 12.0 ms;"
                + " without the search list, it needs 2 queries and 4.0 ms");
    assertThat(asked)
        .contains("A " + HOST + ".svc.cluster.local", "AAAA " + HOST + ".spark.svc.cluster.local");
  }

  @Test
  void aNameWithEnoughDotsIsAskedForOnce() {
    assertThat(look(2, this::answer).verdict()).isEqualTo(PASS);
    assertThat(asked).containsExactly("A " + HOST, "AAAA " + HOST);
  }

  @Test
  void aSilentServerIsAskedOnce() {
    CheckOutcome outcome =
        look(
            5,
            (name, type) -> {
              asked.add(name);
              return Reply.SILENT;
            });
    assertThat(outcome.verdict()).isEqualTo(SKIPPED);
    assertThat(asked).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 2, FOUND", "0, 0, NOTHING", "3, 0, NO_SUCH_NAME", "2, 0, SILENT"})
  void theHeadOfADatagramIsEnough(int code, int records, Reply reply) throws Exception {
    try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> answerOne(server, code, records));
      thread.start();
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
      UdpNameServer client = new UdpNameServer(address, new SplittableRandom(7));

      assertThat(client.ask("store.example", "AAAA")).isEqualTo(reply);
      thread.join();
    }
  }

  private static void answerOne(DatagramSocket server, int code, int records) {
    try {
      DatagramPacket packet = new DatagramPacket(new byte[512], 512);
      server.receive(packet);
      byte[] question = packet.getData();
      String text = new String(question, 12, packet.getLength() - 12, StandardCharsets.ISO_8859_1);
      boolean isWell = text.equals("\u0005store\u0007example\0\0\u001c\0\u0001");
      question[2] = (byte) 0x81;
      question[3] = (byte) (0x80 | (isWell ? code : 1));
      question[7] = (byte) records;
      packet.setData(question, 0, packet.getLength());
      server.send(packet);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aNameThatDnsCannotHaveIsNotSent() {
    UdpNameServer client =
        new UdpNameServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), new SplittableRandom(7));
    assertThat(client.ask("a..b", "A")).isEqualTo(Reply.SILENT);
  }
}
