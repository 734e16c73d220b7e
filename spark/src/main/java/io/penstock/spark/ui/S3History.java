/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.NoSuchElementException;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.runtime.BoxedUnit;

/**
 * Shows the tab in the History Server, from the events that the driver has left in the event log.
 * The History Server finds this class by ServiceLoader when Penstock's jar is on its class path.
 */
public final class S3History implements AppHistoryServerPlugin, OfScala212.History {
  private static final Logger LOG = LoggerFactory.getLogger(S3History.class);

  /** Behind Spark's own tabs. */
  private static final int ORDER = 100;

  /** Events come every ten seconds at most. */
  private static final long STEP_MILLIS = 1_000;

  /** The last report of an application, as the History Server keeps it. */
  public static final class Stored {
    static final String NAME = "s3";

    /** The key; there is one report. */
    @KVIndex public String name = NAME;

    public String report;

    /** For the store. */
    public Stored() {}

    Stored(Report report) {
      this.report = report.toText();
    }
  }

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    Seq<?> listeners = Nil$.MODULE$.$colon$colon(new Replayed(store));
    @SuppressWarnings("unchecked")
    Seq<SparkListener> typed = (Seq<SparkListener>) listeners;
    return typed;
  }

  @Override
  public void setupUI(SparkUI ui) {
    try {
      Report report =
          Report.of(
              new ObjectMapper()
                  .readTree(ui.store().store().read(Stored.class, Stored.NAME).report));
      S3Tab.attach(ui, () -> report.first(LiveReport.PAGE_ROWS), () -> report, false);
    } catch (NoSuchElementException e) {
      LOG.debug("{} has no reports of Penstock in its event log", ui.appName());
    } catch (Exception | LinkageError e) {
      LOG.warn("The tab of S3 requests cannot be shown; the other tabs are not affected", e);
    }
  }

  @Override
  public int displayOrder() {
    return ORDER;
  }

  /** Keeps the last report of a log that is replayed, with the points of all reports. */
  private static final class Replayed extends SparkListener {
    private Report last;
    private Series series;
    private boolean hasWarned;

    Replayed(ElementTrackingStore store) {
      store.onFlush(
          () -> {
            if (last != null) {
              store.write(new Stored(last.inHistory(series.points())));
            }
            return BoxedUnit.UNIT;
          });
    }

    @Override
    public void onOtherEvent(SparkListenerEvent event) {
      if (!(event instanceof PenstockRequests requests) || requests.report == null) {
        return;
      }
      try {
        Report report = Report.of(requests.report);
        if (series == null) {
          series = new Series(report.startedMillis(), STEP_MILLIS);
        }
        series.add(report.nowMillis(), report.total());
        last = report;
      } catch (JsonProcessingException | RuntimeException e) {
        if (!hasWarned) {
          hasWarned = true;
          LOG.warn(
              "A report of Penstock in the event log cannot be read, and is skipped: {}",
              e.toString());
        }
      }
    }
  }
}
