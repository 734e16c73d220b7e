/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;

/**
 * The content of a report, whatever it looks like.
 *
 * @param title what was looked at; may come from a log, as all that follows
 * @param subtitle which files, which window of time: a line each
 * @param findings the most useful first
 */
public record Page(
    String title,
    List<String> subtitle,
    List<Figure> figures,
    List<Remark> findings,
    List<Section> sections) {

  public Page {
    subtitle = List.copyOf(subtitle);
    figures = List.copyOf(figures);
    findings = List.copyOf(findings);
    sections = List.copyOf(sections);
  }
}
