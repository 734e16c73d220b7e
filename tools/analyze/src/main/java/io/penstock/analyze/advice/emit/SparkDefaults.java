/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Target;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Writes advice as lines with a key and a value. Changes that no key can make are comments. */
final class SparkDefaults {
  private static final String HEAD =
      "# Settings recommended by 'penstock advise'. The reason is above each setting.\n";

  private static final Set<Target> SETTINGS =
      Collections.unmodifiableSet(EnumSet.of(Target.SPARK, Target.HADOOP));

  private SparkDefaults() {}

  static String of(List<Advice> all) {
    StringBuilder text = new StringBuilder(HEAD);
    for (Settled settled : Settled.of(all, SETTINGS)) {
      Change change = settled.change();
      String key = settled.key();
      text.append("\n# ").append(settled.reason()).append("\n# ").append(settled.was());
      if (change.isRemoval()) {
        text.append("\n# Take this out: ").append(Settled.line(key)).append('\n');
      } else {
        text.append('\n').append(key).append(' ').append(Settled.line(change.next()));
        text.append('\n');
      }
    }
    for (Settled settled : Settled.others(all, SETTINGS)) {
      text.append("\n# ").append(settled.reason());
      text.append("\n# ").append(settled.elsewhere()).append('\n');
    }
    return text.toString();
  }
}
