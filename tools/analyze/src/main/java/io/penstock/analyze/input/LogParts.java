/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The logs, split into parts that several threads can read at the same time. */
public final class LogParts implements ReadProgress.Extent {
  /**
   * The size of a part: large enough to justify opening it, and small enough that all threads
   * finish at about the same time.
   */
  private static final long PART_BYTES = 8L << 20;

  private final Deque<LogPart> parts;
  private final Map<Integer, ParseStatistics> statisticsByFile = new ConcurrentHashMap<>();
  private final AtomicLong doneBytes = new AtomicLong();
  private final long totalBytes;

  public LogParts(List<LogFile> files) {
    files.forEach(file -> statisticsByFile.put(file.number(), new ParseStatistics()));
    parts = new ArrayDeque<>(LogPart.cut(files, PART_BYTES));
    totalBytes = parts.stream().mapToLong(LogPart::bytes).sum();
  }

  @Override
  public long doneBytes() {
    return doneBytes.get();
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  /** Returns the statistics of a file's records. They are complete once all readers are closed. */
  public ParseStatistics statistics(int file) {
    ParseStatistics all = statisticsByFile.get(file);
    synchronized (all) {
      ParseStatistics copy = new ParseStatistics();
      copy.add(all);
      return copy;
    }
  }

  /** Returns the number of parts that nobody has begun to read. */
  public synchronized int count() {
    return parts.size();
  }

  /** Returns a reader that reads parts until none are left. Each thread uses its own reader. */
  public RequestReader reader() {
    return new Worker();
  }

  private synchronized LogPart take() {
    return parts.poll();
  }

  private final class Worker implements RequestReader {
    private LogPart part;
    private RequestReader reader;
    private ParseStatistics statistics;

    @Override
    public boolean next(RequestRow row) throws IOException {
      try {
        return find(row);
      } catch (FileSystemException e) {
        // The message of this exception already names the file and the reason.
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new IOException(
            part.file().source().name() + " cannot be read to its end: " + e.getMessage(), e);
      }
    }

    private boolean find(RequestRow row) throws IOException {
      while (true) {
        if (reader == null && !open()) {
          return false;
        }
        if (reader.next(row)) {
          return true;
        }
        done();
      }
    }

    private boolean open() throws IOException {
      part = take();
      if (part == null) {
        return false;
      }
      statistics = new ParseStatistics();
      reader = part.open(statistics);
      return true;
    }

    private void done() throws IOException {
      reader.close();
      reader = null;
      ParseStatistics all = statisticsByFile.get(part.file().number());
      synchronized (all) {
        all.add(statistics);
      }
      doneBytes.addAndGet(part.bytes());
    }

    @Override
    public void close() throws IOException {
      if (reader != null) {
        done();
      }
    }
  }
}
