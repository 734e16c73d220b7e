/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import java.util.List;

/** A piece of a figure, in pixels from its upper left corner. */
sealed interface FigureMark {
  /** The purposes of a piece, which determine its colour. */
  enum Role {
    TEXT("t", 0x1F2328, 0xE6EDF3),
    FAINT("f", 0x59636E, 0x9198A1),
    GRID("g", 0xD8DEE4, 0x30363D),
    REQUESTS("r", 0x0969DA, 0x58A6FF),
    THROTTLES("x", 0xCF4A1D, 0xFF8A5C),
    LIMIT("l", 0x59636E, 0x9198A1);

    private final String css;
    private final int light;
    private final int dark;

    Role(String css, int light, int dark) {
      this.css = css;
      this.light = light;
      this.dark = dark;
    }

    String css() {
      return css;
    }

    int light() {
      return light;
    }

    int dark() {
      return dark;
    }
  }

  /** The alignments of a text relative to its point. */
  enum Anchor {
    START("start", 0),
    MIDDLE("middle", 0.5),
    END("end", 1);

    private final String css;
    private final double share;

    Anchor(String css, double share) {
      this.css = css;
      this.share = share;
    }

    String css() {
      return css;
    }

    /**
     * Returns the share of the text's width that lies before {@link Text#at()}: 0 if the text
     * starts at this point, 1 if it ends there.
     */
    double share() {
      return share;
    }
  }

  Role role();

  /** A point. */
  record Point(double x, double y) {}

  /** A line through several points. */
  record Path(Role role, List<Point> points, double width, boolean dashed) implements FigureMark {
    public Path {
      points = List.copyOf(points);
    }
  }

  /** A text. Upward text is turned by a quarter to the left. */
  record Text(Role role, Point at, String text, int size, Anchor anchor, boolean upward)
      implements FigureMark {}
}
