/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import java.util.AbstractCollection;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** A subset of a job's files, with one bit for each file. Safe for use by many threads. */
public final class FileSet extends AbstractCollection<TaskFile> {
  private final List<TaskFile> all;
  private final BitSet members;

  private FileSet(List<TaskFile> all, BitSet members) {
    this.all = all;
    this.members = members;
  }

  /** A file and its index among all files of the job. */
  public record Numbered(int number, TaskFile file) {}

  public static FileSet none(List<TaskFile> all) {
    return new FileSet(all, new BitSet());
  }

  public static FileSet all(List<TaskFile> all) {
    BitSet members = new BitSet();
    members.set(0, all.size());
    return new FileSet(all, members);
  }

  public synchronized void add(Numbered one) {
    members.set(one.number());
  }

  public void addAll(FileSet others) {
    BitSet more = others.bits();
    synchronized (this) {
      members.or(more);
    }
  }

  /** Returns the files of this set that are not in the other set. */
  public FileSet without(FileSet others) {
    BitSet left = bits();
    left.andNot(others.bits());
    return new FileSet(all, left);
  }

  public FileSet where(Predicate<TaskFile> condition) {
    FileSet some = none(all);
    for (Numbered one : numbered()) {
      if (condition.test(one.file())) {
        some.add(one);
      }
    }
    return some;
  }

  /** Returns the files that are uploads. */
  public List<TaskUpload> uploads() {
    return TaskUpload.among(this);
  }

  /** Returns the files of this set at the time of the call, each with its index. */
  public Iterable<Numbered> numbered() {
    return () ->
        bits().stream().mapToObj(number -> new Numbered(number, all.get(number))).iterator();
  }

  @Override
  public Iterator<TaskFile> iterator() {
    return bits().stream().mapToObj(all::get).iterator();
  }

  @Override
  public synchronized int size() {
    return members.cardinality();
  }

  private synchronized BitSet bits() {
    return (BitSet) members.clone();
  }
}
