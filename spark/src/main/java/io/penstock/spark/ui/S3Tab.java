/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;

/**
 * The tab "S3" of Spark's UI, its script, and the same content as JSON under {@code json/}. Spark
 * protects them like its own pages.
 */
final class S3Tab extends SparkUITab {
  static final String PATH = "penstock";

  private S3Tab(SparkUI ui, Supplier<Report> page, boolean isLive) {
    super(ui, PATH);
    attachPage(new S3Page(this, page, isLive));
  }

  @Override
  public String name() {
    return "S3";
  }

  /**
   * Adds the tab to the UI.
   *
   * @param page the report that is shown
   * @param whole the report as JSON
   * @param isLive true if the application runs
   */
  static void attach(SparkUI ui, Supplier<Report> page, Supplier<Report> whole, boolean isLive) {
    ui.attachTab(new S3Tab(ui, page, isLive));
    String base = ui.basePath() + "/" + PATH;
    String script = resource("follow.js");
    ui.detachHandler(base + "/json"); // Spark adds an empty one for each page
    serve(ui, base + "/json", "application/json", () -> whole.get().toText());
    serve(ui, base + "/script", "text/javascript", () -> script);
  }

  private static void serve(SparkUI ui, String path, String type, Supplier<String> text) {
    // The types of servlets differ by version of Spark, so the method is found by its name.
    Method attach =
        Arrays.stream(SparkUI.class.getMethods())
            .filter(method -> method.getName().equals("attachHandler"))
            .filter(method -> method.getParameterCount() == 3)
            .findFirst()
            .orElseThrow();
    boolean isJakarta = attach.getParameterTypes()[1].getName().startsWith("jakarta.");
    Object servlet = isJakarta ? new JakartaText(type, text) : new JavaxText(type, text);
    try {
      attach.invoke(ui, path, servlet, "/*");
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("this version of Spark serves its pages in another way", e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = S3Tab.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
