/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.executor;

import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.rules.facts.Limits;
import java.util.Optional;

/**
 * The memory that an executor may use, in bytes, by its settings.
 *
 * @param overhead for the JVM's own needs and, without a part of their own, for Python's
 * @param isOverheadSet false if the overhead follows the heap
 * @param factor how the overhead follows the heap
 * @param besides what Spark keeps outside of the heap, and the part of Python's own
 * @param isEnforced true if a container ends an executor that takes more
 */
record ExecutorMemory(
    long heap,
    long overhead,
    boolean isOverheadSet,
    double factor,
    long besides,
    boolean isEnforced) {
  static final String HEAP = "spark.executor.memory";
  static final String OVERHEAD = "spark.executor.memoryOverhead";
  private static final String FACTOR = "spark.executor.memoryOverheadFactor";
  private static final String POD_FACTOR = "spark.kubernetes.memoryOverheadFactor";
  private static final String POD_LANGUAGE = "spark.kubernetes.resource.type";
  private static final String OFF_HEAP = "spark.memory.offHeap.enabled";
  private static final String OFF_HEAP_SIZE = "spark.memory.offHeap.size";
  private static final String PYTHON = "spark.executor.pyspark.memory";

  static ExecutorMemory of(JobSettings settings) {
    long heap = settings.executorHeap();
    double factor = factor(settings);
    Optional<Long> overhead =
        settings.spark(OVERHEAD).flatMap(text -> Amounts.size(text, Amounts.MIB));
    long offHeap = settings.isOn(OFF_HEAP) ? settings.size(settings.spark(OFF_HEAP_SIZE), 0) : 0;
    long python = settings.size(settings.spark(PYTHON), Amounts.MIB, 0);
    String master = settings.spark("spark.master").orElse("");
    return new ExecutorMemory(
        heap,
        overhead.orElse(overhead(heap, factor)),
        overhead.isPresent(),
        factor,
        offHeap + python,
        !master.startsWith("spark://") && !master.startsWith("local"));
  }

  private static double factor(JobSettings settings) {
    boolean isPythonPod =
        settings.isOnKubernetes()
            && settings.spark(POD_LANGUAGE).filter(what -> !what.equals("java")).isPresent();
    return settings
        .spark(FACTOR)
        .or(() -> settings.isOnKubernetes() ? settings.spark(POD_FACTOR) : Optional.empty())
        .filter(text -> text.matches("\\d{1,3}(\\.\\d{1,9})?"))
        .map(Double::parseDouble)
        .orElse(isPythonPod ? Limits.PYTHON_POD_FACTOR : Limits.OVERHEAD_FACTOR);
  }

  private static long overhead(long heap, double factor) {
    return Math.max(Limits.OVERHEAD_MIN, (long) (heap * factor));
  }

  /** Returns the memory with another heap, and an overhead that follows it if it is not set. */
  ExecutorMemory withHeap(long other) {
    return new ExecutorMemory(
        other,
        isOverheadSet ? overhead : overhead(other, factor),
        isOverheadSet,
        factor,
        besides,
        isEnforced);
  }

  long total() {
    return heap + overhead + besides;
  }

  /** Returns the heap with which the total is a given one, and all else stays as it is set. */
  double heapOf(double total) {
    double rest = total - besides;
    if (isOverheadSet) {
      return rest - overhead;
    }
    double following = rest / (1 + factor);
    return following * factor < Limits.OVERHEAD_MIN ? rest - Limits.OVERHEAD_MIN : following;
  }
}
