/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the whole JVM by request, with its garbage collector and compiler. Unlike elapsed
 * time it says the same on a busy machine, and for more threads than there are cores.
 */
public final class CpuTime implements InternalProfiler {
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long startNanos;

  @Override
  public String getDescription() {
    return "CPU time of the JVM by operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    startNanos = system.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long nanos = system.getProcessCpuTime() - startNanos;
    // All of them: JMH calls some more while the threads begin and end together.
    long requests = result.getMetadata().getAllOps();
    double each = requests == 0 ? 0 : (double) nanos / requests;
    return List.of(new ScalarResult("cpu", each, "ns/op", AggregationPolicy.AVG));
  }
}
