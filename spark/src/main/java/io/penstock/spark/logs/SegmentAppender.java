/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.logs;

import java.io.Serializable;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.Layout;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.StringLayout;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.layout.PatternLayout;

/**
 * Adds what Spark logs, in the form in which the root logger writes it elsewhere. Loggers that are
 * not additive have their own appenders only.
 */
final class SegmentAppender extends AbstractAppender {
  /** That of Spark's own configuration. */
  private static final String PATTERN = "%d{yy/MM/dd HH:mm:ss} %p %c{1}: %m%n%ex";

  private static final String NAME = "penstock-logs";

  private final LogSegments segments;
  private final Runnable end;

  private SegmentAppender(
      Layout<? extends Serializable> layout, LogSegments segments, Runnable end) {
    super(NAME, null, layout, true, Property.EMPTY_ARRAY);
    this.segments = segments;
    this.end = end;
  }

  /** Ends the log that is kept now, if there is one: that of an application before this one. */
  static void endPresent() {
    Appender present = configuration().getRootLogger().getAppenders().get(NAME);
    if (present instanceof SegmentAppender other) {
      other.end.run();
    }
  }

  /**
   * Creates an appender; {@link #attach} adds it.
   *
   * @param end ends the log
   * @throws ClassCastException or a LinkageError when Spark logs by another library than Log4j 2
   */
  static SegmentAppender of(LogSegments segments, Runnable end) {
    Layout<? extends Serializable> layout = PatternLayout.newBuilder().withPattern(PATTERN).build();
    for (Appender other : configuration().getRootLogger().getAppenders().values()) {
      if (other.getLayout() instanceof StringLayout) {
        layout = other.getLayout();
        break;
      }
    }
    SegmentAppender appender = new SegmentAppender(layout, segments, end);
    appender.start();
    return appender;
  }

  private static LoggerContext context() {
    return (LoggerContext) LogManager.getContext(false);
  }

  private static Configuration configuration() {
    return context().getConfiguration();
  }

  /** Adds the appender to the root logger, unless it is there; a new configuration forgets it. */
  void attach() {
    Configuration configuration = configuration();
    if (!configuration.getRootLogger().getAppenders().containsKey(NAME)) {
      configuration.addAppender(this);
      configuration.getRootLogger().addAppender(this, null, null);
      context().updateLoggers();
    }
  }

  void detach() {
    configuration().getRootLogger().removeAppender(NAME);
    context().updateLoggers();
    stop();
  }

  @Override
  public void append(LogEvent event) {
    byte[] line = getLayout().toByteArray(event);
    segments.add(line, 0, line.length);
  }
}
