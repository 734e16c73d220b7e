/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A machine that is what a test says. */
public final class ScriptedMachine implements Machine {
  private final Map<String, String> files = new HashMap<>();
  private final Map<String, List<String>> directories = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>(Map.of("os.name", "Linux"));
  private final Set<String> readOnly = new HashSet<>();
  private long maxHeapBytes = 1L << 30;

  public ScriptedMachine file(String path, String... lines) {
    files.put(path, String.join("\n", lines) + "\n");
    return this;
  }

  public ScriptedMachine directory(String path, String... names) {
    directories.put(path, Arrays.asList(names));
    return this;
  }

  public ScriptedMachine environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  public ScriptedMachine property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  public ScriptedMachine heap(long bytes) {
    maxHeapBytes = bytes;
    return this;
  }

  public ScriptedMachine readOnly(String directory) {
    readOnly.add(directory);
    return this;
  }

  @Override
  public Optional<String> read(String path) {
    return Optional.ofNullable(files.get(path));
  }

  @Override
  public List<String> list(String directory) {
    return directories.getOrDefault(directory, List.of());
  }

  @Override
  public Optional<String> real(String path) {
    return directories.containsKey(path) ? Optional.of(path) : Optional.empty();
  }

  @Override
  public boolean isWritable(String directory) {
    return !readOnly.contains(directory);
  }

  @Override
  public Optional<String> environment(String name) {
    return Optional.ofNullable(environment.get(name));
  }

  @Override
  public Optional<String> property(String name) {
    return Optional.ofNullable(properties.get(name));
  }

  @Override
  public int processors() {
    return 4;
  }

  @Override
  public long maxHeapBytes() {
    return maxHeapBytes;
  }
}
