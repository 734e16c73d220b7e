/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.plan;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTablePartition;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.apache.spark.sql.internal.SessionState;
import scala.Option;
import scala.collection.Iterator;

/**
 * Calls by reflection what has other types in other Spark versions: {@code Seq} is another class in
 * Scala 2.12, and {@code SparkSession} has moved in Spark 4.0. Only the methods of iterators are
 * called on a {@code Seq}, since they are the same in both Scala versions.
 */
final class SparkInternals {
  private SparkInternals() {}

  /** Returns the names of the columns by which the output is partitioned. */
  static List<String> partitionColumns(InsertIntoHadoopFsRelationCommand command) {
    List<String> names = new ArrayList<>();
    for (Iterator<?> columns = iterator(call(command, "partitionColumns")); columns.hasNext(); ) {
      names.add(((Attribute) columns.next()).name());
    }
    return names;
  }

  static SessionState sessionState(QueryExecution execution) {
    return (SessionState) call(session(execution), "sessionState");
  }

  /** Returns the session of the query. */
  static Object session(QueryExecution execution) {
    return call(execution, "sparkSession");
  }

  /** Returns the locations of the partitions with these values. */
  static List<Path> partitionLocations(
      SessionCatalog catalog,
      TableIdentifier table,
      scala.collection.immutable.Map<String, String> values) {
    Object partitions =
        call(
            catalog,
            "listPartitions",
            new Class<?>[] {TableIdentifier.class, Option.class},
            table,
            Option.apply(values));
    List<Path> locations = new ArrayList<>();
    for (Iterator<?> each = iterator(partitions); each.hasNext(); ) {
      Option<java.net.URI> location = ((CatalogTablePartition) each.next()).storage().locationUri();
      if (location.isDefined()) {
        locations.add(new Path(location.get()));
      }
    }
    return locations;
  }

  /** Returns an iterator over what a method returns. */
  static Iterator<?> iterator(Object target, String method) {
    return iterator(call(target, method));
  }

  private static Iterator<?> iterator(Object sequence) {
    return ((scala.collection.Iterable<?>) sequence).iterator();
  }

  /** Returns true if there is such a method without parameters. */
  static boolean has(Object target, String method) {
    return Stream.of(target.getClass().getMethods())
        .anyMatch(one -> one.getName().equals(method) && one.getParameterCount() == 0);
  }

  /**
   * Calls a method.
   *
   * @throws NoSuchMethodError when this Spark has no such method
   */
  static Object call(Object target, String method) {
    return call(target, method, new Class<?>[0]);
  }

  static Object call(Object target, String method, Class<?>[] types, Object... arguments) {
    try {
      return target.getClass().getMethod(method, types).invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("Spark's " + method + " failed", e.getCause());
    } catch (ReflectiveOperationException e) {
      NoSuchMethodError missing =
          new NoSuchMethodError("this Spark has no " + target.getClass().getName() + "." + method);
      missing.initCause(e);
      throw missing;
    }
  }
}
