/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A disk that does what it is told at some of its calls, and remembers them in order. */
public final class ScriptedDisk implements Disk {
  /** What happens instead of a call. */
  @FunctionalInterface
  public interface Act {
    void instead(Call call) throws IOException;
  }

  @FunctionalInterface
  public interface Call {
    void run() throws IOException;
  }

  public final List<String> calls = new ArrayList<>();
  private final Map<String, Act> script = new ConcurrentHashMap<>();
  private int left = Integer.MAX_VALUE;

  public ScriptedDisk at(String call, Act act) {
    script.put(call, act);
    return this;
  }

  /** The process dies before its next call but so many: that one and all later do nothing. */
  public ScriptedDisk diesAfter(int steps) {
    left = steps;
    return this;
  }

  public static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  private synchronized void step(String name, Call call) throws IOException {
    if (left-- <= 0) {
      throw new Death();
    }
    calls.add(name);
    Act act = script.get(name);
    if (act == null) {
      call.run();
    } else {
      act.instead(call);
    }
  }

  @Override
  public Sink create(Path file) throws IOException {
    Sink[] made = new Sink[1];
    step("create", () -> made[0] = POSIX.create(file));
    Sink sink = made[0];
    return new Sink() {
      @Override
      public void write(int b) throws IOException {
        step("write", () -> sink.write(b));
      }

      @Override
      public void write(byte[] bytes, int from, int count) throws IOException {
        step("write", () -> sink.write(bytes, from, count));
      }

      @Override
      public void sync() throws IOException {
        step("sync", sink::sync);
      }

      @Override
      public void close() throws IOException {
        sink.close();
      }
    };
  }

  @Override
  public void link(Path file, Path name) throws IOException {
    step("link", () -> POSIX.link(file, name));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step("rename", () -> POSIX.rename(from, to));
  }

  @Override
  public void delete(Path file) throws IOException {
    step(file.toString().endsWith(".crc") ? "delete checksum" : "delete", () -> POSIX.delete(file));
  }

  @Override
  public void makeDirectories(Path directory) throws IOException {
    POSIX.makeDirectories(directory);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    step("sync directory", () -> POSIX.syncDirectory(directory));
  }

  @Override
  public Optional<Object> identity(Path file) throws IOException {
    return POSIX.identity(file);
  }

  @Override
  public int names(Path file) throws IOException {
    return POSIX.names(file);
  }
}
