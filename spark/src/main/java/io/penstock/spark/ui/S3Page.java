/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils$;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.Option;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.xml.Node;
import scala.xml.Unparsed;

/**
 * The page of the tab. One class serves all versions of Spark: the servlets of Spark 3.5 are in
 * {@code javax}, later ones in {@code jakarta}, and with Scala 2.12 the page is another kind of
 * {@code Seq}, for which the compiler adds a bridge because of {@link OfScala212}.
 */
final class S3Page extends WebUIPage implements OfScala212.Page {
  private static final String TITLE = "S3 requests";

  private final SparkUITab tab;
  private final Supplier<Report> report;
  private final boolean isLive;

  S3Page(SparkUITab tab, Supplier<Report> report, boolean isLive) {
    super("");
    this.tab = tab;
    this.report = report;
    this.isLive = isLive;
  }

  @Override
  public Seq<Node> render(jakarta.servlet.http.HttpServletRequest request) {
    return page(request);
  }

  @Override
  public Seq<Node> render(javax.servlet.http.HttpServletRequest request) {
    return page(request);
  }

  private Seq<Node> page(Object request) {
    String html = ReportPage.html(report.get(), isLive) + "<script src=\"script/\"></script>";
    Function0<Seq<Node>> content = () -> nodes(html);
    Method header =
        Arrays.stream(UIUtils$.class.getMethods())
            .filter(method -> method.getName().equals("headerSparkPage"))
            .findFirst()
            .orElseThrow();
    // Later versions have more switches at the end, which are off.
    Object[] arguments = new Object[header.getParameterCount()];
    Arrays.fill(arguments, false);
    arguments[0] = request;
    arguments[1] = TITLE;
    arguments[2] = content;
    arguments[3] = tab;
    arguments[4] = Option.empty();
    try {
      @SuppressWarnings("unchecked")
      Seq<Node> page = (Seq<Node>) header.invoke(UIUtils$.MODULE$, arguments);
      return page;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("this version of Spark draws its pages in another way", e);
    }
  }

  private static Seq<Node> nodes(String html) {
    Seq<?> nodes = Nil$.MODULE$.$colon$colon(new Unparsed(html));
    @SuppressWarnings("unchecked")
    Seq<Node> page = (Seq<Node>) nodes;
    return page;
  }
}
