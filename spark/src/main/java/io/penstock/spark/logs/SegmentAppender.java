/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.logs;

import java.io.Serializable;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.Layout;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.StringLayout;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.AppenderRef;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.filter.AbstractFilterable;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.spark.SparkEnv;

/**
 * Adds what Spark logs, as the first text appender of the root logger has it: with its layout,
 * level and filters. Loggers that are not additive have their own appenders only.
 */
final class SegmentAppender extends AbstractAppender {
  /** Equals the pattern of Spark's own configuration. */
  private static final String PATTERN = "%d{yy/MM/dd HH:mm:ss} %p %c{1}: %m%n%ex";

  private static final String NAME = "penstock-logs";

  private final LogSegments segments;

  /** Log4j's own hook may stop it before the last write, and then there is no other one. */
  private final LoggerContext context;

  private final Level level;
  private final Filter filterOfReference;
  private boolean isClosed;

  private SegmentAppender(
      LogSegments segments,
      LoggerContext context,
      Layout<? extends Serializable> layout,
      Filter filter,
      Level level,
      Filter filterOfReference) {
    super(NAME, filter, layout, true, Property.EMPTY_ARRAY);
    this.segments = segments;
    this.context = context;
    this.level = level;
    this.filterOfReference = filterOfReference;
  }

  /**
   * Creates an appender; {@link #attach} adds it.
   *
   * @throws ClassCastException or a LinkageError when Spark logs by another library than Log4j 2
   */
  static SegmentAppender of(LogSegments segments) {
    LoggerContext context =
        (LoggerContext) LogManager.getContext(SparkEnv.class.getClassLoader(), false);
    LoggerConfig root = context.getConfiguration().getRootLogger();
    for (AppenderRef reference : root.getAppenderRefs()) {
      Appender other = root.getAppenders().get(reference.getRef());
      if (other != null && other.getLayout() instanceof StringLayout) {
        Filter filter = other instanceof AbstractFilterable some ? some.getFilter() : null;
        return new SegmentAppender(
            segments,
            context,
            other.getLayout(),
            filter,
            reference.getLevel(),
            reference.getFilter());
      }
    }
    Layout<String> layout = PatternLayout.newBuilder().withPattern(PATTERN).build();
    return new SegmentAppender(segments, context, layout, null, null, null);
  }

  /** Adds the appender to the root logger, unless it is there; a new configuration forgets it. */
  synchronized void attach() {
    LoggerConfig root = context.getConfiguration().getRootLogger();
    if (!isClosed && root.getAppenders().get(NAME) != this) {
      start();
      root.removeAppender(NAME);
      root.addAppender(this, level, filterOfReference);
      context.updateLoggers();
    }
  }

  /** Removes the appender for good. */
  synchronized void detach() {
    isClosed = true;
    LoggerConfig root = context.getConfiguration().getRootLogger();
    if (root.getAppenders().get(NAME) == this) {
      root.removeAppender(NAME);
      context.updateLoggers();
    }
    stop();
  }

  @Override
  public void append(LogEvent event) {
    byte[] line = getLayout().toByteArray(event);
    segments.add(line, 0, line.length);
  }
}
