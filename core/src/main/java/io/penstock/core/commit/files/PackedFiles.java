/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;

/**
 * The files of a job, kept as the bytes that its tasks have sent. The driver of a job of 600,000
 * files keeps them until the job has committed, so each file is unpacked only when it is read.
 * Immutable.
 */
public final class PackedFiles extends AbstractList<TaskFile> implements RandomAccess {
  private static final int TASK_MAX = 1_000;

  /** The messages that the tasks have sent. */
  private final byte[][] tasks;

  private final int size;

  /** The index of the first file in each message; empty if each message has one file. */
  private final int[] firsts;

  /** The position of each file in its message; just one number if each message has one file. */
  private final int[] starts;

  private PackedFiles(Builder builder) {
    this.tasks = builder.tasks.toArray(byte[][]::new);
    this.size = builder.size;
    boolean isOneEach = tasks.length == size;
    this.firsts = isOneEach ? new int[0] : Arrays.copyOf(builder.firsts, tasks.length);
    this.starts = Arrays.copyOf(builder.starts, isOneEach ? 1 : size);
  }

  /** Packs files. */
  public static PackedFiles of(Collection<TaskFile> files) {
    if (files instanceof PackedFiles packed) {
      return packed;
    }
    Builder builder = new Builder();
    List<TaskFile> some = new ArrayList<>();
    for (TaskFile file : files) {
      some.add(file);
      if (some.size() == TASK_MAX) {
        builder.add(some);
        some.clear();
      }
    }
    builder.add(some);
    return builder.build();
  }

  /** Collects the messages of a job's tasks. Safe for many threads. */
  public static final class Builder {
    private final List<byte[]> tasks = new ArrayList<>();
    private int[] firsts = new int[16];
    private int[] starts = new int[16];
    private int size;

    /**
     * Adds the message of a task, made by {@link TaskFiles#toBytes}. The bytes are not copied.
     *
     * @param task must not change
     * @throws IOException if the bytes are no such message; then nothing is added
     */
    public synchronized void add(byte[] task) throws IOException {
      int before = size;
      try {
        TaskFiles.scan(task, this::addStart);
      } catch (IOException e) {
        size = before;
        throw e;
      }
      if (size > before) {
        firsts = withRoom(firsts, tasks.size());
        firsts[tasks.size()] = before;
        tasks.add(task);
      }
    }

    private void add(List<TaskFile> files) {
      try {
        add(new TaskFiles(files).toBytes());
      } catch (IOException e) {
        throw new IllegalStateException("what was just packed can be read", e);
      }
    }

    private void addStart(int start) {
      starts = withRoom(starts, size);
      starts[size] = start;
      size++;
    }

    private static int[] withRoom(int[] numbers, int index) {
      return index < numbers.length ? numbers : Arrays.copyOf(numbers, 2 * numbers.length);
    }

    /**
     * Returns the files added so far, in the order of the messages. More can be added afterwards.
     */
    public synchronized PackedFiles build() {
      return new PackedFiles(this);
    }
  }

  @Override
  public TaskFile get(int index) {
    if (firsts.length == 0) {
      return TaskFiles.at(tasks[index], starts[0]);
    }
    int start = starts[index];
    int found = Arrays.binarySearch(firsts, index);
    // A file that is not the first of its message gives -(index of the next message) - 1.
    return TaskFiles.at(tasks[found >= 0 ? found : -found - 2], start);
  }

  @Override
  public int size() {
    return size;
  }
}
