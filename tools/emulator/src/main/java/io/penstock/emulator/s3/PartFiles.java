/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.s3.FileBlobs.FileBody;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Records the file of each part of the uploads in progress. Parts of different numbers are stored
 * in parallel. Parts of the same number are stored one after another. No part is stored while the
 * upload completes.
 */
final class PartFiles {
  private final Map<String, Open> uploads = new ConcurrentHashMap<>();

  private static final class Open {
    final ReadWriteLock lock = new ReentrantReadWriteLock();
    final Map<Integer, Slot> slots = new ConcurrentHashMap<>();
  }

  /** Holds the file of one part. */
  static final class Slot {
    private FileBody file;

    void file(FileBody stored) {
      file = stored;
    }
  }

  /** Runs while the locks are held. */
  interface Action<A, R> {
    R apply(A argument) throws IOException;
  }

  void open(String uploadId) {
    uploads.put(uploadId, new Open());
  }

  void close(String uploadId) {
    uploads.remove(uploadId);
  }

  <R> R store(String uploadId, int number, Action<Slot, R> action) throws IOException {
    Open open = uploads.getOrDefault(uploadId, new Open()); // the store refuses an unknown upload
    Lock lock = open.lock.readLock();
    lock.lock();
    try {
      Slot slot = open.slots.computeIfAbsent(number, n -> new Slot());
      synchronized (slot) {
        return action.apply(slot);
      }
    } finally {
      lock.unlock();
    }
  }

  <R> R complete(String uploadId, Action<Map<Integer, FileBody>, R> action) throws IOException {
    Open open = uploads.getOrDefault(uploadId, new Open());
    Lock lock = open.lock.writeLock();
    lock.lock();
    try {
      Map<Integer, FileBody> byNumber = new HashMap<>();
      open.slots.forEach((number, slot) -> byNumber.put(number, slot.file));
      R result = action.apply(byNumber);
      uploads.remove(uploadId);
      return result;
    } finally {
      lock.unlock();
    }
  }
}
