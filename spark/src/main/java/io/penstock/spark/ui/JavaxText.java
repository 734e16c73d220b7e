/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Answers each GET with a text of now, in Spark 3.5. */
final class JavaxText extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final String type;
  private final transient Supplier<String> text;

  JavaxText(String type, Supplier<String> text) {
    this.type = type;
    this.text = text;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType(type + ";charset=utf-8");
    response.getOutputStream().write(text.get().getBytes(StandardCharsets.UTF_8));
  }

  /** Refuses, as Spark's own pages do: the answer would repeat the headers with their cookies. */
  @Override
  protected void doTrace(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
  }
}
