/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.penstock.dist.House.CLASSES;
import static io.penstock.dist.House.isOf;
import static io.penstock.dist.House.module;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import io.penstock.core.chance.Chance;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.SystemTime;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks which classes read a clock, draw a random number or wait for a bounded time. */
class TimeTest {
  private static final String BENCH = module("bench");

  @Test
  void timeAndChanceAreReadInOnePlace() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(SystemTime.class, Chance.class)
        // Its look is bounded, and what it waits for is given to it.
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.core.rate.FifoGate")
        .and()
        .resideOutsideOfPackage(BENCH)
        .should()
        .accessTargetWhere(
            isOf(System.class, "nanoTime", "currentTimeMillis")
                .or(isOf(Thread.class, "sleep"))
                .or(isOf(LockSupport.class, "parkNanos", "parkUntil"))
                .or(isOf(Instant.class, "now"))
                .or(isOf(Math.class, "random"))
                .or(isOf(UUID.class, "randomUUID"))
                .or(isOf(ThreadLocalRandom.class, "current"))
                .or(isOf(SecureRandom.class, "<init>", "getInstanceStrong", "getInstance"))
                .or(isOf(Random.class, "<init>")))
        .orShould()
        .callConstructor(SplittableRandom.class)
        .because("time and chance are passed in, so that tests and the simulator own them")
        .check(CLASSES);
  }

  @Test
  void onlyDoorsTakeTheClockOfTheMachine() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Engine.class, SystemTime.class)
        .and()
        .resideOutsideOfPackage(BENCH)
        // The age of cached files is that of the machine's disk.
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.analyze.logs.Cache")
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.emulator.weather.WeatherServer$Options")
        .should()
        .accessField(SystemTime.class, "INSTANCE")
        .because("time comes from the engine, or from whoever runs a tool")
        .check(CLASSES);
  }

  private static final String LOOKS_FOR_CUTS =
      "waits for another thread, and looks now and then whether its work was cancelled";

  private static final String THREADS_END = "gives up on threads that do not end";

  private static final String TICKS = "shows something now and then to a person";

  /**
   * Classes that wait for something for a bounded time of the machine, and the reason. What they
   * decide does not depend on that time.
   */
  private static final Map<String, String> TIMED_WAITS =
      Map.ofEntries(
          Map.entry("core.caller.Cancellation", LOOKS_FOR_CUTS),
          Map.entry("core.upload.PartPermits", LOOKS_FOR_CUTS),
          Map.entry("core.upload.BufferBudget", LOOKS_FOR_CUTS),
          Map.entry("core.upload.AbortQueue", "gives up on aborts that do not end"),
          Map.entry(
              "core.commit.lease.LeaseThread", "renews leases while the machine's time goes on"),
          Map.entry(
              "core.commit.life.OrphanUploads", "its thread outlives the job; tests pass another"),
          Map.entry(
              "core.flush.FlushedWriter", "a file is closed although a store does not answer"),
          Map.entry("spark.logs.ProcessLogs", "a process ends although a store does not answer"),
          Map.entry("loggen.Generation", THREADS_END),
          Map.entry("cli.logs.LogsGenerateCommand", THREADS_END),
          Map.entry("emulator.http.HttpServer", THREADS_END),
          Map.entry("doctor.Doctor", "gives up on a check of a network that does not answer"),
          Map.entry("cli.weather.WeatherCommand", TICKS),
          Map.entry("cli.input.LogsProgress", TICKS));

  /** Methods that wait for a bounded time: those of these names that take a long. */
  private static final Map<Class<?>, Set<String>> WAITING =
      Map.ofEntries(
          Map.entry(Object.class, Set.of("wait")),
          Map.entry(Thread.class, Set.of("join", "sleep")),
          Map.entry(TimeUnit.class, Set.of("sleep", "timedJoin", "timedWait")),
          Map.entry(Condition.class, Set.of("await", "awaitNanos")),
          Map.entry(CountDownLatch.class, Set.of("await")),
          Map.entry(Semaphore.class, Set.of("tryAcquire")),
          Map.entry(Lock.class, Set.of("tryLock")),
          Map.entry(BlockingQueue.class, Set.of("poll", "offer")),
          Map.entry(Future.class, Set.of("get")),
          Map.entry(ExecutorService.class, Set.of("awaitTermination")),
          Map.entry(
              CompletableFuture.class, Set.of("delayedExecutor", "orTimeout", "completeOnTimeout")),
          Map.entry(
              ScheduledExecutorService.class,
              Set.of("schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay")),
          Map.entry(Timer.class, Set.of("schedule", "scheduleAtFixedRate")));

  @Test
  void whoWaitsForATimeOfTheMachineIsNamed() {
    Set<String> waiting =
        CLASSES.stream()
            .filter(type -> !type.getPackageName().startsWith("io.penstock.bench"))
            .filter(type -> !type.isEquivalentTo(SystemTime.class))
            .filter(type -> type.getAccessesFromSelf().stream().anyMatch(TimeTest::isTimedWait))
            .map(TimeTest::topLevel)
            .collect(Collectors.toSet());
    assertThat(waiting).isEqualTo(TIMED_WAITS.keySet());
  }

  private static String topLevel(JavaClass type) {
    return type.getFullName().replace("io.penstock.", "").replaceAll("[$].*", "");
  }

  /** A method of Object is called as one of Object, whatever the object is. */
  private static boolean isOne(JavaClass owner, Class<?> type) {
    return type == Object.class ? owner.isEquivalentTo(type) : owner.isAssignableTo(type);
  }

  private static boolean isTimedWait(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitCallTarget target
        && target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(long.class))
        && WAITING.entrySet().stream()
            .anyMatch(
                one ->
                    one.getValue().contains(target.getName())
                        && isOne(access.getTargetOwner(), one.getKey()));
  }
}
