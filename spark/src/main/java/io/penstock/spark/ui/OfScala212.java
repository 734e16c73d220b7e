/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.ElementTrackingStore;
import scala.collection.Seq;
import scala.xml.Node;

/**
 * Methods of Spark as they are with Scala 2.12, whose {@code Seq} is another type. A class that has
 * the methods of 2.13 and implements these gets a bridge for each from the compiler.
 */
final class OfScala212 {
  private OfScala212() {}

  /** The page of a tab. */
  interface Page {
    Seq<Node> render(javax.servlet.http.HttpServletRequest request);
  }

  /** The plugin of the History Server. */
  interface History {
    Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store);
  }
}
