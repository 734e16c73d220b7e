/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.AbstractCollection;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** A subset of a job's uploads, with one bit for each upload. Safe for use by many threads. */
final class UploadSet extends AbstractCollection<TaskUpload> {
  private final List<TaskUpload> all;
  private final BitSet members;

  private UploadSet(List<TaskUpload> all, BitSet members) {
    this.all = all;
    this.members = members;
  }

  /** An upload and its index among all uploads of the job. */
  record Numbered(int number, TaskUpload upload) {}

  static UploadSet none(List<TaskUpload> all) {
    return new UploadSet(all, new BitSet());
  }

  static UploadSet all(List<TaskUpload> all) {
    BitSet members = new BitSet();
    members.set(0, all.size());
    return new UploadSet(all, members);
  }

  synchronized void add(Numbered one) {
    members.set(one.number());
  }

  void addAll(UploadSet others) {
    BitSet more = others.bits();
    synchronized (this) {
      members.or(more);
    }
  }

  /** Returns the uploads of this set that are not in the other set. */
  UploadSet without(UploadSet others) {
    BitSet left = bits();
    left.andNot(others.bits());
    return new UploadSet(all, left);
  }

  UploadSet where(Predicate<TaskUpload> condition) {
    UploadSet some = none(all);
    for (Numbered one : numbered()) {
      if (condition.test(one.upload())) {
        some.add(one);
      }
    }
    return some;
  }

  /** Returns them as they are now, with their numbers. */
  Iterable<Numbered> numbered() {
    return () ->
        bits().stream().mapToObj(number -> new Numbered(number, all.get(number))).iterator();
  }

  @Override
  public Iterator<TaskUpload> iterator() {
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
