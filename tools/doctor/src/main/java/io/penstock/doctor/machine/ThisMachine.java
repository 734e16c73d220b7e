/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the facts about the machine on which this process runs. */
public final class ThisMachine implements Machine {
  /**
   * The most bytes read from a file. The files that are read are much smaller; the limit protects
   * against devices and wrong paths, which may be endless.
   */
  private static final int MOST_BYTES = 4 << 20;

  @Override
  public Optional<String> read(String path) {
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      return Optional.of(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<String> list(String directory) {
    try (Stream<Path> files = Files.list(Path.of(directory))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException | InvalidPathException e) {
      return List.of();
    }
  }

  @Override
  public Optional<String> real(String path) {
    try {
      return Optional.of(Path.of(path).toRealPath().toString());
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean isWritable(String directory) {
    return Files.isWritable(Path.of(directory));
  }

  @Override
  public Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
  }

  @Override
  public Optional<String> property(String name) {
    return Optional.ofNullable(System.getProperty(name));
  }

  @Override
  public int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public long maxHeapBytes() {
    return Runtime.getRuntime().maxMemory();
  }
}
