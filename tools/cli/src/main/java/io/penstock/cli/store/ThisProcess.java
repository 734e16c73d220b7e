/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.store;

import io.penstock.core.stack.Engine;
import io.penstock.core.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import java.util.UUID;

/** The engine and the clock of the process that a command runs in. */
public final class ThisProcess {
  private ThisProcess() {}

  public static Engine engine() {
    return Engine.process();
  }

  /** Returns an id that no other process has. */
  public static String newId() {
    SplittableRandom chance = engine().chance();
    return new UUID(chance.nextLong(), chance.nextLong()).toString();
  }

  /** Returns the name of this machine, or a dash if it has none. */
  public static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "-";
    }
  }

  public static Time time() {
    return engine().time();
  }
}
