/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Vector;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the files that the scans of a task are at, with what the driver knew of them when it
 * planned the scans. Spark tells readers of files nothing of it, and they open a file by its name.
 * But each scan registers a listener that closes it when the task ends, and so is found by
 * reflection: task context, listener, its function, and the scan that the function has captured.
 */
final class ScannedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ScannedFiles.class);
  private static final String SCAN = "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon";

  private ScannedFiles() {}

  /** Returns the files; none outside a task, or where Spark has another structure. */
  static List<PartitionedFile> ofThisTask() {
    TaskContext context = TaskContext.get();
    List<PartitionedFile> files = new ArrayList<>();
    if (context == null) {
      return files;
    }
    try {
      Object listeners = value(context, "onCompleteCallbacks").orElse(null);
      if (listeners instanceof Vector<?> all) {
        for (Object listener : all.toArray()) {
          scan(listener).flatMap(ScannedFiles::currentFile).ifPresent(files::add);
        }
      }
    } catch (LinkageError | RuntimeException e) {
      LOG.debug("cannot find out which files this task scans", e);
    }
    return files;
  }

  private static Optional<Object> scan(Object listener) {
    return value(listener, "f$1").flatMap(ScannedFiles::captured);
  }

  /** Returns the scan that a function has captured. */
  private static Optional<Object> captured(Object function) {
    for (Field field : function.getClass().getDeclaredFields()) {
      Optional<Object> value = value(function, field);
      if (value.isPresent() && value.get().getClass().getName().startsWith(SCAN)) {
        return value;
      }
    }
    return Optional.empty();
  }

  private static Optional<PartitionedFile> currentFile(Object scan) {
    return value(scan, "currentFile")
        .filter(PartitionedFile.class::isInstance)
        .map(PartitionedFile.class::cast);
  }

  /** Returns the value of a field whose name ends so, since Scala puts the class before it. */
  private static Optional<Object> value(Object of, String name) {
    for (Field field : of.getClass().getDeclaredFields()) {
      if (field.getName().endsWith(name)) {
        return value(of, field);
      }
    }
    return Optional.empty();
  }

  private static Optional<Object> value(Object of, Field field) {
    try {
      field.setAccessible(true);
      return Optional.ofNullable(field.get(of));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " cannot be read", e);
    }
  }
}
