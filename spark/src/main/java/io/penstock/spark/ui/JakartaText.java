/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Answers each GET with a text of now, in Spark 4 and later. */
final class JakartaText extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final String type;
  private final transient Supplier<String> text;

  JakartaText(String type, Supplier<String> text) {
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
