/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.doctor.CheckOutcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private final ScriptedMachine machine = new ScriptedMachine();

  private CheckOutcome cpu() {
    return new CpuLimitCheck(machine).look().get(0);
  }

  private CheckOutcome memory() {
    return new MemoryLimitCheck(machine).look().get(0);
  }

  @Test
  void aLimitThatStopsThreadsIsShownWithItsCost() {
    machine
        .file("/proc/self/cgroup", "0::/")
        .file("/sys/fs/cgroup/cpu.max", "150000 100000")
        .file(
            "/sys/fs/cgroup/cpu.stat",
            "usage_usec 9",
            "nr_periods 1000",
            "nr_throttled 400",
            "throttled_usec 25000000");
    CheckOutcome outcome = cpu();

    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said())
        .isEqualTo(
            "1.50 CPUs (cgroup v2); the limit stopped threads in 40 % of 1,000 periods, for 25,000"
                + " ms in all");
    assertThat(outcome.fix()).contains("Remove the limit and keep the request");
    assertThat(outcome.numbers())
        .containsEntry("limitMillicpus", 1500L)
        .containsEntry("throttledPeriods", 400L);
  }

  @Test
  void aLimitThatIsNotReachedPasses() {
    machine
        .file("/sys/fs/cgroup/cpu.max", "400000 100000")
        .file("/sys/fs/cgroup/cpu.stat", "nr_periods 1000", "nr_throttled 3");
    assertThat(cpu().verdict()).isEqualTo(PASS);
  }

  @Test
  void theTightestLimitAboveTheProcessCounts() {
    machine
        .file("/proc/self/cgroup", "0::/kubepods/pod1/c1")
        .file("/sys/fs/cgroup/kubepods/pod1/c1/cpu.max", "max 100000")
        .file("/sys/fs/cgroup/kubepods/pod1/cpu.max", "200000 100000")
        .file("/sys/fs/cgroup/kubepods/cpu.max", "800000 100000");
    assertThat(cpu().numbers()).containsEntry("limitMillicpus", 2000L);
  }

  @Test
  void versionOneCountsInNanoseconds() {
    machine
        .file("/proc/self/cgroup", "4:cpu,cpuacct:/docker/abc", "0::/")
        .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000")
        .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
        .file(
            "/sys/fs/cgroup/cpu/cpu.stat",
            "nr_periods 10",
            "nr_throttled 5",
            "throttled_time 7000000");
    assertThat(cpu().said())
        .isEqualTo(
            "0.50 CPUs (cgroup v1); the limit stopped threads in 50 % of 10 periods, for 7 ms in"
                + " all");
  }

  @Test
  void noLimitAndNonsensePass() {
    assertThat(cpu().verdict()).isEqualTo(PASS);
    machine
        .file("/proc/self/cgroup", "garbage", ":::", "0::")
        .file("/sys/fs/cgroup/cpu.max", "abc 0")
        .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1")
        .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
    assertThat(cpu().said()).startsWith("none");
  }

  @Test
  void anotherSystemIsNotLookedAt() {
    machine.property("os.name", "Mac OS X");
    assertThat(cpu().verdict()).isEqualTo(SKIPPED);
  }

  @Test
  void aKillIsTold() {
    machine
        .file("/sys/fs/cgroup/memory.max", "4294967296")
        .file("/sys/fs/cgroup/memory.current", "1073741824")
        .file("/sys/fs/cgroup/memory.events", "low 0", "oom 3", "oom_kill 2");
    assertThat(memory().verdict()).isEqualTo(WARN);
    assertThat(memory().said())
        .isEqualTo(
            "4,096 MiB (cgroup v2), 1,024 MiB in use; the kernel killed a process 2 times because"
                + " memory ran out");
  }

  @Test
  void aHeapAsLargeAsTheLimitIsTold() {
    machine.file("/sys/fs/cgroup/memory.max", "1073741824");
    assertThat(memory().verdict()).isEqualTo(WARN);
    assertThat(memory().fix()).contains("-Xmx");
    assertThat(new MemoryLimitCheck(machine.heap(1 << 29)).look().get(0).verdict()).isEqualTo(PASS);
  }

  @Test
  void whatVersionOneWritesForNoLimitIsNone() {
    machine
        .file("/proc/self/cgroup", "5:memory:/")
        .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    assertThat(memory().said()).isEqualTo("none");
  }

  @Test
  void fewOpenFilesAreTold() {
    String[] soft = {"1024", "65536", "unlimited"};
    Object[] verdicts = {WARN, PASS, PASS};
    for (int i = 0; i < soft.length; i++) {
      machine.file(
          "/proc/self/limits",
          "Limit                     Soft Limit           Hard Limit           Units     ",
          "Max open files            %-20s 1048576              files     ".formatted(soft[i]));
      assertThat(new FileDescriptorCheck(machine).look().get(0).verdict())
          .as(soft[i])
          .isEqualTo(verdicts[i]);
    }
  }

  @Test
  void anOldJavaFails() {
    machine.property("java.version", "11.0.2").property("java.specification.version", "11");
    assertThat(new JavaCheck(machine).look().get(0).verdict()).isEqualTo(FAIL);
    machine.property("java.specification.version", "21");
    assertThat(new JavaCheck(machine).look().get(0).verdict()).isEqualTo(PASS);
  }

  @Test
  void aProxyIsNamedByItsVariableAndNotByItsValue() {
    machine.environment("https_proxy", "http://user:hunter2@proxy:3128");
    CheckOutcome outcome = new ProxyCheck(machine, Optional.of("store.example")).look().get(0);
    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said()).startsWith("https_proxy is set").doesNotContain("hunter2");

    machine.environment("no_proxy", "localhost,.example");
    assertThat(ProxyCheck.setting(machine, Optional.of("store.example"))).isEmpty();
    assertThat(ProxyCheck.setting(machine, Optional.of("store.example.com"))).isPresent();
  }
}
