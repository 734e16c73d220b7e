/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import io.penstock.simulator.figure.FigureMark.Path;
import io.penstock.simulator.figure.FigureMark.Text;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** Writes a figure as PNG, in light colours, at twice its size for high-resolution screens. */
public final class Png {
  private static final int SCALE = 2;

  private Png() {}

  public static byte[] file(RunFigure figure) {
    BufferedImage image =
        new BufferedImage(
            SCALE * figure.width(), SCALE * figure.height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.scale(SCALE, SCALE);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, figure.width(), figure.height());
    for (FigureMark mark : figure.marks()) {
      graphics.setColor(new Color(mark.role().light()));
      if (mark instanceof Text text) {
        draw(graphics, text);
      } else {
        draw(graphics, (Path) mark);
      }
    }
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void draw(Graphics2D graphics, Path path) {
    float[] dashes = path.dashed() ? new float[] {5, 4} : null;
    graphics.setStroke(
        new BasicStroke(
            (float) path.width(), BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0));
    Path2D line = new Path2D.Double();
    for (FigureMark.Point point : path.points()) {
      if (line.getCurrentPoint() == null) {
        line.moveTo(point.x(), point.y());
      } else {
        line.lineTo(point.x(), point.y());
      }
    }
    graphics.draw(line);
  }

  private static void draw(Graphics2D graphics, Text text) {
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, text.size()));
    double width = graphics.getFontMetrics().stringWidth(text.text());
    var before = graphics.getTransform();
    graphics.translate(text.at().x(), text.at().y());
    if (text.upward()) {
      graphics.rotate(-Math.PI / 2);
    }
    graphics.drawString(text.text(), (float) (-width * text.anchor().share()), 0);
    graphics.setTransform(before);
  }
}
