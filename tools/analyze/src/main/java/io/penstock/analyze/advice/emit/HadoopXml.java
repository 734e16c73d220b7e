/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Target;
import java.util.EnumSet;
import java.util.List;

/** Writes advice as a {@code configuration} element with properties. */
final class HadoopXml {
  private static final String HEAD =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- Settings recommended by 'penstock advise'. Each description gives the reason. -->
      <configuration>
      """;
  private static final String PROPERTY =
      """
        <property>
          <name>%s</name>
          <value>%s</value>
          <description>%s; %s</description>
        </property>
      """;

  private HadoopXml() {}

  static String of(List<Advice> all) {
    StringBuilder text = new StringBuilder(HEAD);
    for (Settled settled : Settled.of(all, EnumSet.of(Target.HADOOP))) {
      if (!settled.change().isRemoval()) {
        text.append(
            PROPERTY.formatted(
                escaped(settled.change().name()),
                escaped(settled.change().next()),
                escaped(settled.reason()),
                escaped(settled.was())));
      }
    }
    for (Settled settled : Settled.others(all, EnumSet.of(Target.HADOOP))) {
      text.append("  <!-- ").append(comment(settled.reason()));
      text.append("\n       ").append(comment(settled.elsewhere())).append(" -->\n");
    }
    return text.append("</configuration>\n").toString();
  }

  /** Returns a text that does not end a comment. */
  private static String comment(String text) {
    return Settled.line(text).replaceAll("-(?=-|$)", "- ");
  }

  private static String escaped(String text) {
    return Settled.line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
