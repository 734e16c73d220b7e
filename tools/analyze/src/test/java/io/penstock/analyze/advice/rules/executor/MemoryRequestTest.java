/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.GivenSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests R12, the memory of executors, and R23, which must not contradict it. */
class MemoryRequestTest {
  private static final long MIB = 1L << 20;

  @ParameterizedTest
  @CsvSource({
    // peak MiB of 8,192 + 819, killed
    "7051, 0, DO",
    "7055, 0, DONT",
    "8619, 0, DONT",
    "8621, 0, DO",
    "7836, 1, DO",
    "0, 1, DO",
    "0, 0, NO_EVIDENCE"
  })
  void memoryIsThePeakAndAMargin(long peakMib, int killed, AdviceVerdict verdict) {
    Advice r12 = judge(peakMib, 0, killed, "spark.executor.memory", "8g");
    assertThat(r12.verdict()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // 1.15 x 5,000 MiB, of which the overhead takes a tenth of the heap.
        "spark.executor.memory=8g | 5000 | spark.executor.memory=5228m",
        "spark.executor.memory=8192 | 5000 | spark.executor.memory=5228m",
        // An overhead that was set stays, and what is outside of the heap for good.
        "spark.executor.memory=8g spark.executor.memoryOverhead=4g | 9000 |"
            + " spark.executor.memory=6254m",
        "spark.executor.memory=8g spark.executor.memoryOverheadFactor=0.5 | 8000 |"
            + " spark.executor.memory=6134m",
        "spark.executor.memory=8g spark.executor.pyspark.memory=2g | 8000 |"
            + " spark.executor.memory=6502m",
        "spark.executor.memory=4g spark.memory.offHeap.enabled=true spark.memory.offHeap.size=20g"
            + " | 20480 | ''",
        // Off-heap memory that is not enabled is none.
        "spark.executor.memory=8g spark.memory.offHeap.size=20g | 5000 |"
            + " spark.executor.memory=5228m",
        // Programs in Python have 40 % on Kubernetes.
        "spark.executor.memory=8g spark.master=k8s://x spark.kubernetes.resource.type=python | 5000"
            + " | spark.executor.memory=4108m",
        // Nothing ends what takes more on a standalone cluster, and the heap is not known.
        "spark.executor.memory=8g spark.master=spark://x | 5000 | ''",
        // More than all memory: it is not the heap that grew.
        "spark.executor.memory=8g | 9000 | spark.executor.memoryOverhead=2158m"
      })
  void lessComesFromTheHeapAndMoreGoesBesideIt(String settings, long peakMib, String change) {
    Advice r12 = judge(peakMib, 0, 0, settings.split("[= ]"));
    assertThat(r12.changes().stream().map(one -> one.name() + "=" + one.next()))
        .isEqualTo(change.isEmpty() ? java.util.List.of() : java.util.List.of(change));
  }

  @Test
  void whereOnlyTheHeapIsKnownMemoryIsNeverHalved() {
    Advice r12 = judge(0, 1_000, 0, "spark.executor.memory", "8g");
    assertThat(r12.verdict()).isEqualTo(AdviceVerdict.BENCHMARK);
    assertThat(r12.changes()).extracting("next").containsExactly("6g");
  }

  /** Garbage that nobody had to collect yet is part of it. */
  @Test
  void aFullHeapAloneIsNoReasonForMore() {
    assertThat(judge(0, 8_190, 0, "spark.executor.memory", "8g").verdict())
        .isEqualTo(AdviceVerdict.DONT);
  }

  @Test
  void aHeapThatWasUsedIsNotTakenAway() {
    // All memory had a peak of 5,000 MiB, and the heap one of 4,900.
    Advice r12 = judge(5_000, 4_900, 0, "spark.executor.memory", "8g");
    assertThat(r12.changes()).extracting("next").containsExactly("5635m");
  }

  @Test
  void anExecutorThatWasKilledNeverGetsLess() {
    Advice r12 =
        judge(1_000, 0, 1, "spark.executor.memory", "8g", "spark.executor.memoryOverhead", "820m");
    // 1.15 x 9,012 MiB, of which the heap stays as it is.
    assertThat(r12.changes()).extracting("next").containsExactly("2172m");
  }

  @Test
  void aFullHeapGrows() {
    Executors executors = new Executors(1, 100, 400, 100, 65, 80, 80, 2, 0, 0, 0, 0, 1, 0, 4);
    JobSettings job = GivenSettings.spark("3.5.1", "spark.executor.memory", "4g");
    Advice r12 = new MemoryRequest().judge(executors, ExecutorMemory.of(job), 0, job).orElseThrow();
    assertThat(r12.verdict()).isEqualTo(AdviceVerdict.DO);
    assertThat(r12.evidence()).isEqualTo("1 executor ended because the heap was full.");
    assertThat(r12.changes()).extracting("next").containsExactly("6g");
  }

  /** The rule would take away what garbage-collection asks for. */
  @Test
  void aHeapThatIsCollectedMuchIsNotTakenAway() {
    Executors executors =
        new Executors(1, 1_000, 4_000, 1_000, 650, 800, 800, 80, 1_000 * MIB, 0, 0, 0, 0, 0, 4);
    JobSettings job = GivenSettings.spark("3.5.1", "spark.executor.memory", "8g");
    assertThat(new MemoryRequest().judge(executors, ExecutorMemory.of(job), 0, job).orElseThrow())
        .satisfies(r12 -> assertThat(r12.verdict()).isEqualTo(AdviceVerdict.DONT))
        .satisfies(r12 -> assertThat(r12.evidence()).contains("garbage collection took 10 %"));
    Advice r23 = new GarbageCollection().judge(executors, job).orElseThrow();
    assertThat(r23.verdict()).isEqualTo(AdviceVerdict.BENCHMARK);
    assertThat(r23.changes()).extracting("next").containsExactly("12g");
  }

  /** The rule would take away what the tasks of spill lack. */
  @Test
  void aHeapThatSpillsIsNotTakenAway() {
    Executors executors =
        new Executors(
            1, 1_000, 4_000, 1_000, 650, 800, 800, 2, 6_000 * MIB, 5_400 * MIB, 0, 0, 0, 0, 4);
    JobSettings job = GivenSettings.spark("3.5.1", "spark.executor.memory", "8g");
    ExecutorMemory memory = ExecutorMemory.of(job);
    MemoryRequest rule = new MemoryRequest();
    assertThat(rule.judge(executors, memory, (1L << 30) - 1, job).orElseThrow().verdict())
        .isEqualTo(AdviceVerdict.DO);
    assertThat(rule.judge(executors, memory, 1L << 30, job).orElseThrow())
        .satisfies(r12 -> assertThat(r12.verdict()).isEqualTo(AdviceVerdict.DONT))
        .satisfies(r12 -> assertThat(r12.evidence()).contains("tasks spilled 1 GiB to disk"));
  }

  @ParameterizedTest
  @CsvSource({"79, 800, DONT", "80, 800, BENCHMARK", "59, 100, DONT", "0, 0, NO_EVIDENCE"})
  void muchCollectionIsATenthAndAMinute(double gc, double run, AdviceVerdict verdict) {
    Executors executors =
        new Executors(1, 1_000, 4_000, 1_000, 650, run, run, gc, 0, 0, 0, 0, 0, 0, 4);
    assertThat(
            new GarbageCollection()
                .judge(executors, GivenSettings.spark("3.5.1"))
                .orElseThrow()
                .verdict())
        .isEqualTo(verdict);
  }

  /** Any SIGKILL ends with 137: of a node that is taken away, too. */
  @ParameterizedTest
  @CsvSource({
    // peak MiB of 9,011, killed, of these only by 137, verdict
    "8000, 1, 1, DONT",
    "8200, 1, 1, BENCHMARK",
    "0, 1, 1, BENCHMARK",
    "8000, 2, 1, DO"
  })
  void aSignalAloneIsNoWantOfMemory(long peakMib, int killed, int bySignal, AdviceVerdict verdict) {
    Executors executors =
        new Executors(1, 100, 400, 100, 65, 80, 80, 2, peakMib * MIB, 0, killed, bySignal, 0, 0, 4);
    JobSettings job = GivenSettings.spark("3.5.1", "spark.executor.memory", "8g");
    assertThat(
            new MemoryRequest()
                .judge(executors, ExecutorMemory.of(job), 0, job)
                .orElseThrow()
                .verdict())
        .isEqualTo(verdict);
  }

  @Test
  void onAStandaloneClusterTheMachineHadNoMemoryLeft() {
    Advice r12 =
        judge(0, 0, 1, "spark.executor.memory", "8g", "spark.master", "spark://driver:7077");
    assertThat(r12.verdict()).isEqualTo(AdviceVerdict.DO);
    assertThat(r12.changes()).extracting("name").containsExactly("SPARK_WORKER_MEMORY");
  }

  private static Advice judge(long rssMib, long heapMib, int killed, String... settings) {
    Executors executors =
        new Executors(
            1, 100, 400, 100, 65, 80, 80, 2, rssMib * MIB, heapMib * MIB, killed, 0, 0, 0, 4);
    JobSettings job = GivenSettings.spark("3.5.1", settings);
    return new MemoryRequest().judge(executors, ExecutorMemory.of(job), 0, job).orElseThrow();
  }
}
