/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/** Reports the version of the running Java, and the processors and heap size that it uses. */
public record JavaCheck(Machine machine) implements Check {
  @Override
  public String name() {
    return "Java";
  }

  @Override
  public List<CheckOutcome> look() {
    String version = machine.property("java.version").orElse("unknown");
    int feature = feature(machine.property("java.specification.version").orElse("0"));
    long heapMebibytes = machine.maxHeapBytes() >> 20;
    String said =
        "%s (%s), %d processors, heap of at most %,d MiB"
            .formatted(
                version,
                machine.property("java.vendor").orElse("unknown vendor"),
                machine.processors(),
                heapMebibytes);
    CheckOutcome outcome =
        feature < 17
            ? CheckOutcome.fail(
                name(), said, "Penstock needs Java 17 or later. Set JAVA_HOME to such a version.")
            : CheckOutcome.pass(name(), said);
    return List.of(
        outcome
            .with("version", feature)
            .with("processors", machine.processors())
            .with("maxHeapMebibytes", heapMebibytes));
  }

  /** Returns the version as a number, such as 8 for {@code 1.8}. */
  private static int feature(String specification) {
    String number = specification.startsWith("1.") ? specification.substring(2) : specification;
    return number.matches("\\d{1,4}") ? Integer.parseInt(number) : 0;
  }
}
