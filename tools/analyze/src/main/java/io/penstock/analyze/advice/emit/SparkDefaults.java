/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Target;
import java.util.EnumSet;
import java.util.List;

/** Writes advice as lines with a key and a value. Changes that no key can make are comments. */
final class SparkDefaults {
  private static final String HEAD =
      "# Advice of penstock advise. Each value's reason stands above it.\n";

  private SparkDefaults() {}

  static String of(List<Advice> all) {
    StringBuilder text = new StringBuilder(HEAD);
    for (Settled settled : Settled.of(all, EnumSet.of(Target.SPARK, Target.HADOOP))) {
      Change change = settled.change();
      String key = (change.target() == Target.HADOOP ? "spark.hadoop." : "") + change.name();
      text.append("\n# ").append(settled.reason()).append("\n# ").append(settled.was());
      if (change.isRemoval()) {
        text.append("\n# Take this out: ").append(Settled.line(key)).append('\n');
      } else {
        text.append('\n').append(key).append(' ').append(Settled.line(change.next()));
        text.append('\n');
      }
    }
    for (Settled settled : Settled.of(all, EnumSet.of(Target.CODE, Target.OUTSIDE, Target.POD))) {
      Change change = settled.change();
      text.append("\n# ").append(settled.reason()).append("\n# Not a setting: ");
      text.append(Settled.line(change.name() + ": " + change.next())).append('\n');
    }
    return text.toString();
  }
}
