/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.figure.FigureMark.Anchor;
import io.penstock.simulator.figure.FigureMark.Path;
import io.penstock.simulator.figure.FigureMark.Point;
import io.penstock.simulator.figure.FigureMark.Role;
import io.penstock.simulator.figure.FigureMark.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A diagram of requests and throttles per second over the time of a run.
 *
 * @param title names the scenario, policy and seed
 * @param summary the same content in words, for readers who cannot see the figure
 */
public record RunFigure(
    String title, String summary, int width, int height, List<FigureMark> marks) {
  private static final int LEFT = 76;
  private static final int RIGHT = 24;
  private static final int TOP = 66;
  private static final int BOTTOM = 54;
  private static final int POINTS_MAX = 1_000;

  public RunFigure {
    marks = List.copyOf(marks);
  }

  /** Returns one figure for each run, all with the same axes. */
  public static List<RunFigure> of(Scenario scenario, List<ClusterOutcome> runs) {
    double seconds = 1;
    double rate = 1;
    for (ClusterOutcome run : runs) {
      seconds = Math.max(seconds, run.series().sent().size());
      for (int sent : run.series().sent()) {
        rate = Math.max(rate, sent);
      }
    }
    List<RunFigure> figures = new ArrayList<>();
    for (ClusterOutcome run : runs) {
      figures.add(
          new Drawing(scenario, run, FigureAxis.upTo(seconds), FigureAxis.upTo(rate)).figure());
    }
    return figures;
  }

  /** Builds one figure. */
  private static final class Drawing {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 400;

    private final Scenario scenario;
    private final ClusterOutcome run;
    private final FigureAxis time;
    private final FigureAxis rate;
    private final List<FigureMark> marks = new ArrayList<>();

    Drawing(Scenario scenario, ClusterOutcome run, FigureAxis time, FigureAxis rate) {
      this.scenario = scenario;
      this.run = run;
      this.time = time;
      this.rate = rate;
    }

    RunFigure figure() {
      String title =
          "%s, policy %s, seed %d".formatted(scenario.title(), run.policy().slug(), run.seed());
      text(Role.TEXT, LEFT, 24, title, 16, Anchor.START);
      double limit =
          scenario.job().files() > 0 ? scenario.store().writes() : scenario.store().reads();
      legend(limit <= rate.end());
      axes();
      if (limit <= rate.end()) {
        path(Role.LIMIT, List.of(at(0, limit), at(time.end(), limit)), 1, true);
      }
      path(Role.REQUESTS, curve(run.series().sent()), 1.5, false);
      path(Role.THROTTLES, curve(run.series().throttled()), 1.5, false);
      return new RunFigure(title, words(), WIDTH, HEIGHT, marks);
    }

    private String words() {
      return String.format(
          Locale.ROOT,
          "The job took %.0f s; %.2f %% of its requests were throttled.",
          run.seconds(),
          100 * run.throttledShare());
    }

    private void legend(boolean hasLimit) {
      double x = LEFT;
      x = legend(x, Role.REQUESTS, "requests sent", false);
      x = legend(x, Role.THROTTLES, "throttled", false);
      if (hasLimit) {
        legend(x, Role.LIMIT, "what a partition takes", true);
      }
      text(Role.FAINT, WIDTH - RIGHT, 48, words(), 12, Anchor.END);
    }

    private double legend(double x, Role role, String label, boolean dashed) {
      path(role, List.of(new Point(x, 44), new Point(x + 22, 44)), dashed ? 1 : 3, dashed);
      text(Role.TEXT, x + 28, 48, label, 12, Anchor.START);
      return x + 28 + 7 * label.length() + 18;
    }

    private void axes() {
      for (double tick : time.ticks()) {
        path(Role.GRID, List.of(at(tick, 0), at(tick, rate.end())), 1, false);
        text(Role.FAINT, at(tick, 0).x(), HEIGHT - BOTTOM + 18, label(tick), 12, Anchor.MIDDLE);
      }
      for (double tick : rate.ticks()) {
        path(Role.GRID, List.of(at(0, tick), at(time.end(), tick)), 1, false);
        text(Role.FAINT, LEFT - 8, at(0, tick).y() + 4, label(tick), 12, Anchor.END);
      }
      text(Role.TEXT, at(time.end() / 2, 0).x(), HEIGHT - 12, "time (s)", 13, Anchor.MIDDLE);
      marks.add(
          new Text(
              Role.TEXT,
              new Point(18, at(0, rate.end() / 2).y()),
              "requests a second",
              13,
              Anchor.MIDDLE,
              true));
    }

    private static String label(double value) {
      return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%.1f", value);
    }

    /**
     * Returns the points of a curve. A point is the mean of several seconds when there are more
     * seconds than points.
     */
    private List<Point> curve(List<Integer> perSecond) {
      int each = (perSecond.size() + POINTS_MAX - 1) / POINTS_MAX;
      List<Point> points = new ArrayList<>();
      for (int from = 0; from < perSecond.size(); from += each) {
        List<Integer> piece = perSecond.subList(from, Math.min(from + each, perSecond.size()));
        double mean = piece.stream().mapToInt(Integer::intValue).average().orElseThrow();
        points.add(at(from + piece.size() / 2.0, mean));
      }
      return points;
    }

    private Point at(double seconds, double perSecond) {
      return new Point(
          LEFT + (WIDTH - LEFT - RIGHT) * seconds / time.end(),
          HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * perSecond / rate.end());
    }

    private void path(Role role, List<Point> points, double width, boolean dashed) {
      marks.add(new Path(role, points, width, dashed));
    }

    private void text(Role role, double x, double y, String text, int size, Anchor anchor) {
      marks.add(new Text(role, new Point(x, y), text, size, anchor, false));
    }
  }
}
