/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.chance.Chance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Sends each query as a single datagram. Only the header of the answer is read: the code and the
 * number of records. The JDK's own DNS client is not used, because it is part of JNDI, which
 * deserializes data.
 */
public final class UdpNameServer implements NameServer {
  private static final int TIMEOUT_MILLIS = 1_500;
  private static final int HEAD_BYTES = 12;
  private static final int MOST_LABEL_BYTES = 63;
  private static final int NO_SUCH_NAME = 3;

  private final InetSocketAddress server;
  private final SplittableRandom chance;

  /**
   * @param server the IP address, not a name
   * @param chance generates the numbers that match answers to queries
   */
  public UdpNameServer(InetSocketAddress server, SplittableRandom chance) {
    this.server = server;
    this.chance = chance;
  }

  @Override
  public Reply ask(String name, String type) {
    int id = chance.nextInt(1 << 16);
    try (DatagramSocket socket = new DatagramSocket()) {
      byte[] question = question(id, name, type);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(server); // so that a datagram of anybody else is dropped
      socket.send(new DatagramPacket(question, question.length));
      DatagramPacket answer = new DatagramPacket(new byte[4096], 4096);
      socket.receive(answer);
      return reply(id, answer.getData(), answer.getLength());
    } catch (IOException e) {
      return Reply.SILENT;
    }
  }

  private static byte[] question(int id, String name, String type) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(id >> 8);
    out.write(id);
    out.writeBytes(new byte[] {1, 0, 0, 1, 0, 0, 0, 0, 0, 0}); // recursion wanted, one question
    for (String label : name.replaceFirst("\\.$", "").split("\\.", -1)) {
      byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
      if (bytes.length == 0 || bytes.length > MOST_LABEL_BYTES) {
        throw new IOException("not a valid DNS name: " + name);
      }
      out.write(bytes.length);
      out.writeBytes(bytes);
    }
    out.write(0);
    out.writeBytes(new byte[] {0, (byte) (type.equals("AAAA") ? 28 : 1), 0, 1});
    return out.toByteArray();
  }

  private static Reply reply(int id, byte[] answer, int length) {
    boolean isOurs =
        length >= HEAD_BYTES && (answer[0] & 0xff) == id >> 8 && (answer[1] & 0xff) == (id & 0xff);
    if (!isOurs) {
      return Reply.SILENT;
    }
    int code = answer[3] & 0xf;
    if (code == NO_SUCH_NAME) {
      return Reply.NO_SUCH_NAME;
    }
    int records = (answer[6] & 0xff) << 8 | (answer[7] & 0xff);
    return code == 0 ? (records > 0 ? Reply.FOUND : Reply.NOTHING) : Reply.SILENT;
  }

  /**
   * Returns the name server at an IP address from {@code resolv.conf}. The address is not looked
   * up.
   */
  public static UdpNameServer at(String address) {
    try {
      InetAddress literal = InetAddress.getByName(Hosts.isAddress(address) ? address : "0.0.0.0");
      return new UdpNameServer(new InetSocketAddress(literal, 53), Chance.ofTheMachine());
    } catch (IOException e) {
      throw new IllegalArgumentException(address + " is not an address", e);
    }
  }
}
