/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.DoctorReport.Effective;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the settings that the doctor gives advice about, with the values that a job would use, and
 * all Penstock settings that are set.
 */
public final class EffectiveSettings {
  private EffectiveSettings() {}

  /**
   * Returns the settings that have a default, and then those of Penstock; if Penstock serves s3a,
   * these include the settings under S3A's and EMRFS's names.
   *
   * @param ignored the settings of S3A and EMRFS that are set and that Penstock ignores
   */
  public static List<Effective> of(Job job, List<String> ignored) {
    List<Effective> rows = new ArrayList<>();
    for (EffectiveKeys.Key key : EffectiveKeys.ALL) {
      if (job.usesPenstock() && key.family() == EffectiveKeys.Family.HADOOP) {
        continue; // S3A does not run, so its defaults are not in force
      }
      boolean isSet = job.given().get(key.name()).isPresent();
      String value = Shown.value(key.name(), job.effective(key.name()));
      rows.add(new Effective(key.name(), value.isEmpty() ? "-" : value, state(job, key, isSet)));
    }
    job.given()
        .values()
        .forEach(
            (name, value) -> {
              boolean isForeign = job.usesPenstock() && name.startsWith("fs.s3");
              if (name.startsWith("penstock.") || isForeign) {
                String state = ignored.contains(name) ? "no effect here" : "set";
                rows.add(new Effective(name, Shown.value(name, value), state));
              }
            });
    return rows;
  }

  private static String state(Job job, EffectiveKeys.Key key, boolean isSet) {
    if (!isSet) {
      boolean hasDefault = !job.effective(key.name()).isEmpty();
      String without =
          key.family() == EffectiveKeys.Family.HADOOP ? "not in Hadoop " + job.hadoop() : "not set";
      return hasDefault ? "default" : without;
    }
    if (key.name().startsWith(S3aNames.PREFIX)
        && S3aNames.stateOf(key.name(), job.hadoop()) == S3aNames.State.OTHER_RELEASE) {
      return "wrong for Hadoop " + job.hadoop();
    }
    return ScanCheck.isAllocationSizeUseless(job, key.name()) ? "no effect here" : "set";
  }
}
