/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.input;

import io.penstock.insight.request.RequestColumn;
import io.penstock.insight.request.RequestReader;
import io.penstock.insight.request.RequestRow;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The logs cut into parts that several threads can read at once. What cannot be cut goes first, the
 * largest of it at the head, so that no thread is left alone with it at the end.
 */
public final class LogParts {
  /** Few enough that a part is worth its opening, many enough that threads end together. */
  private static final long PART_BYTES = 8L << 20;

  private record Part(LogFile file, long start, long end) {}

  private final Deque<Part> parts;
  private final Map<Integer, Tally> tallies = new ConcurrentHashMap<>();
  private final AtomicLong doneBytes = new AtomicLong();
  private final long totalBytes;

  public LogParts(List<LogFile> files) {
    List<Part> all = new ArrayList<>();
    for (LogFile file : files) {
      tallies.put(file.number(), new Tally());
      long size = file.source().sizeBytes();
      long step = file.canBeCut() ? PART_BYTES : Math.max(size, 1);
      for (long start = 0; start == 0 || start < size; start += step) {
        all.add(new Part(file, start, Math.min(size, start + step)));
      }
    }
    totalBytes = all.stream().mapToLong(part -> part.end() - part.start()).sum();
    all.sort(Comparator.comparingLong((Part part) -> part.start() - part.end()));
    parts = new ArrayDeque<>(all);
  }

  /** Bytes of the files that were read to their end. */
  public long doneBytes() {
    return doneBytes.get();
  }

  /** Of all files together, as they are stored. */
  public long totalBytes() {
    return totalBytes;
  }

  /** What became of the records of a file, complete once all readers are closed. */
  public Tally tally(int file) {
    Tally all = tallies.get(file);
    synchronized (all) {
      Tally copy = new Tally();
      copy.add(all);
      return copy;
    }
  }

  /** A reader that takes parts until there are none left; one for each thread. */
  public RequestReader reader() {
    return new Worker();
  }

  private synchronized Part take() {
    return parts.poll();
  }

  private final class Worker implements RequestReader {
    private Part part;
    private RequestReader reader;
    private Tally tally;
    private Unpacked unpacked;

    @Override
    public boolean next(RequestRow row) throws IOException {
      try {
        return find(row);
      } catch (FileSystemException e) {
        // Its text is made of the file and the reason.
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
          row.number(RequestColumn.FILE, part.file().number());
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
      tally = new Tally();
      LogFile file = part.file();
      if (file.canBeCut()) {
        LineParser parser = file.format().lines().orElseThrow();
        reader = LineRequests.part(file.source(), part.start(), part.end(), parser, tally);
      } else {
        unpacked = file.open();
        reader = file.format().open(unpacked, tally);
      }
      return true;
    }

    private void done() throws IOException {
      reader.close();
      reader = null;
      if (unpacked != null) {
        unpacked.damage().ifPresent(tally::damage);
        unpacked = null;
      }
      Tally all = tallies.get(part.file().number());
      synchronized (all) {
        all.add(tally);
      }
      doneBytes.addAndGet(part.end() - part.start());
    }

    @Override
    public void close() throws IOException {
      if (reader != null) {
        done();
      }
    }
  }
}
