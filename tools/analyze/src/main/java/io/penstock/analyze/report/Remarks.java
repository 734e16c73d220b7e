/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.html.Remark;
import io.penstock.analyze.html.Tone;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts advice into remarks for the page: all advice to apply or to try, in the order of the
 * list.
 */
final class Remarks {
  private Remarks() {}

  static List<Remark> of(List<Advice> all) {
    List<Remark> remarks = new ArrayList<>();
    for (Advice advice : all) {
      if (advice.verdict() == AdviceVerdict.DO || advice.verdict() == AdviceVerdict.BENCHMARK) {
        remarks.add(remark(advice));
      }
    }
    return remarks;
  }

  private static Remark remark(Advice advice) {
    List<Remark.Setting> settings = new ArrayList<>();
    for (Change change : advice.changes()) {
      settings.add(
          new Remark.Setting(
              change.name(), change.now(), change.isRemoval() ? "(remove)" : change.next()));
    }
    return new Remark(
        advice.label(),
        advice.verdict().word(),
        advice.verdict() == AdviceVerdict.DO ? Tone.BAD : Tone.WARN,
        advice.evidence(),
        sentences(
            "Expect",
            advice.effect(),
            "Risk",
            advice.risk(),
            "Verify by",
            advice.verify(),
            "Source",
            advice.source()),
        "",
        settings);
  }

  private static List<String> sentences(String... labelsAndTexts) {
    List<String> sentences = new ArrayList<>();
    for (int i = 0; i < labelsAndTexts.length; i += 2) {
      if (!labelsAndTexts[i + 1].isEmpty()) {
        sentences.add(labelsAndTexts[i] + ": " + labelsAndTexts[i + 1]);
      }
    }
    return sentences;
  }
}
