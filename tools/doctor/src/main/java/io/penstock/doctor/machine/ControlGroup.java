/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The limits that a container runtime has set for this process, in cgroup version 2 or 1.
 *
 * <p>A limit may be set at any level above the process, and the lowest limit applies. Inside a
 * container, the path in {@code /proc/self/cgroup} may be the host's path and may not exist, so the
 * root is read as well.
 */
final class ControlGroup {
  private static final String ROOT = "/sys/fs/cgroup";

  /** A limit of version 1 that is at least this large means that there is no limit. */
  private static final long UNLIMITED_BYTES = 1L << 60;

  private final Machine machine;

  ControlGroup(Machine machine) {
    this.machine = machine;
  }

  /**
   * The CPU time that the kernel grants in each period.
   *
   * @param throttledMillis the total time for which threads were stopped because of the limit
   */
  record CpuLimit(int version, double cpus, long periods, long throttled, long throttledMillis) {}

  /**
   * @param kills the number of processes in the group that the kernel has killed for lack of memory
   */
  record MemoryLimit(int version, long limitBytes, long usedBytes, long kills) {}

  /** Returns the lowest CPU limit; empty when there is no limit. */
  Optional<CpuLimit> cpu() {
    List<CpuLimit> limits = new ArrayList<>();
    for (String directory : directories("")) {
      read(directory, "cpu.max")
          .flatMap(ControlGroup::quota)
          .map(cpus -> limitOfV2(cpus, fields(directory, "cpu.stat")))
          .ifPresent(limits::add);
    }
    for (String directory : directories("cpu")) {
      Optional<Long> quota = number(directory, "cpu.cfs_quota_us").filter(micros -> micros > 0);
      Optional<Long> period = number(directory, "cpu.cfs_period_us").filter(micros -> micros > 0);
      if (quota.isPresent() && period.isPresent()) {
        double cpus = (double) quota.get() / period.get();
        limits.add(limitOfV1(cpus, fields(directory, "cpu.stat")));
      }
    }
    return limits.stream().min(java.util.Comparator.comparingDouble(CpuLimit::cpus));
  }

  Optional<MemoryLimit> memory() {
    List<MemoryLimit> limits = new ArrayList<>();
    for (String directory : directories("")) {
      number(directory, "memory.max")
          .map(
              limit ->
                  new MemoryLimit(
                      2,
                      limit,
                      number(directory, "memory.current").orElse(0L),
                      fields(directory, "memory.events").getOrDefault("oom_kill", 0L)))
          .ifPresent(limits::add);
    }
    for (String directory : directories("memory")) {
      number(directory, "memory.limit_in_bytes")
          .filter(limit -> limit < UNLIMITED_BYTES)
          .map(
              limit ->
                  new MemoryLimit(
                      1,
                      limit,
                      number(directory, "memory.usage_in_bytes").orElse(0L),
                      fields(directory, "memory.oom_control").getOrDefault("oom_kill", 0L)))
          .ifPresent(limits::add);
    }
    return limits.stream().min(java.util.Comparator.comparingLong(MemoryLimit::limitBytes));
  }

  private static CpuLimit limitOfV2(double cpus, Map<String, Long> stat) {
    return new CpuLimit(
        2,
        cpus,
        stat.getOrDefault("nr_periods", 0L),
        stat.getOrDefault("nr_throttled", 0L),
        stat.getOrDefault("throttled_usec", 0L) / 1_000);
  }

  private static CpuLimit limitOfV1(double cpus, Map<String, Long> stat) {
    return new CpuLimit(
        1,
        cpus,
        stat.getOrDefault("nr_periods", 0L),
        stat.getOrDefault("nr_throttled", 0L),
        stat.getOrDefault("throttled_time", 0L) / 1_000_000);
  }

  /** Returns the CPUs of {@code 150000 100000}; empty for {@code max 100000}. */
  private static Optional<Double> quota(String text) {
    String[] parts = text.strip().split("\\s+", -1);
    boolean isLimit =
        parts.length == 2 && parts[0].matches("\\d+") && parts[1].matches("[1-9]\\d*");
    return isLimit
        ? Optional.of(Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]))
        : Optional.empty();
  }

  /**
   * Returns the directories that may contain the files of the process's group and of its parent
   * groups.
   *
   * @param controller a controller of cgroup version 1, or empty for version 2
   */
  private List<String> directories(String controller) {
    List<String> found = new ArrayList<>();
    for (String line : machine.read("/proc/self/cgroup").orElse("").split("\n", -1)) {
      String[] parts = line.strip().split(":", 3);
      if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
        String mount = controller.isEmpty() ? ROOT : ROOT + "/" + parts[1];
        for (String path = parts[2]; path.length() > 1; path = above(path)) {
          found.add(mount + path);
        }
      }
    }
    found.add(controller.isEmpty() ? ROOT : ROOT + "/" + controller);
    return found;
  }

  private static String above(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  private Optional<String> read(String directory, String file) {
    return machine.read(directory + "/" + file);
  }

  private Optional<Long> number(String directory, String file) {
    Function<String, Optional<Long>> parse =
        text -> text.matches("-?\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    return read(directory, file).map(String::strip).flatMap(parse);
  }

  private Map<String, Long> fields(String directory, String file) {
    Map<String, Long> fields = new HashMap<>();
    for (String line : read(directory, file).orElse("").split("\n", -1)) {
      String[] parts = line.strip().split("\\s+", -1);
      if (parts.length == 2 && parts[1].matches("\\d{1,18}")) {
        fields.put(parts[0], Long.valueOf(parts[1]));
      }
    }
    return fields;
  }
}
