/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.plan;

import io.penstock.spark.plan.SaveModes.NewTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.command.CreateDataSourceTableAsSelectCommand;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SessionState;

/**
 * The write that the query on this thread is about to do. Spark runs each command under an
 * execution id of its own, and keeps the query of each id while it runs. All file formats write by
 * {@link InsertIntoHadoopFsRelationCommand}, also for {@code INSERT OVERWRITE DIRECTORY}, {@code
 * CREATE TABLE … AS SELECT} and {@code saveAsTable}: these run it as a query inside their own.
 *
 * <p>Used on the driver, while Spark makes the commit protocol.
 */
public final class RunningWrite {
  private final QueryExecution execution;
  private final InsertIntoHadoopFsRelationCommand command;
  private final NewTable newTable;

  private RunningWrite(
      QueryExecution execution, InsertIntoHadoopFsRelationCommand command, NewTable newTable) {
    this.execution = execution;
    this.command = command;
    this.newTable = newTable;
  }

  /** Returns the write to a path; empty if the running query has none, or not surely one. */
  public static Optional<RunningWrite> to(String path) {
    QueryExecution execution = running();
    return execution == null ? Optional.empty() : to(path, execution);
  }

  /**
   * Returns true if the running query writes for Hive. Its commands write to a directory with a
   * random name, and move the files from there.
   */
  public static boolean isForHive() {
    QueryExecution execution = running();
    return execution != null && !commands(execution.analyzed(), RunningWrite::isHive).isEmpty();
  }

  private static Optional<RunningWrite> to(String path, QueryExecution execution) {
    List<InsertIntoHadoopFsRelationCommand> commands = new ArrayList<>();
    for (LogicalPlan plan : commands(execution.analyzed(), plan -> isWriteTo(path, plan))) {
      commands.add((InsertIntoHadoopFsRelationCommand) plan);
    }
    // Hive's statement with several inserts may write to a table twice, and which of them runs is
    // not known. It is if all do the same.
    long kinds =
        commands.stream()
            .map(one -> List.of(one.mode(), one.staticPartitions()))
            .distinct()
            .count();
    if (kinds != 1) {
      return Optional.empty();
    }
    return Optional.of(new RunningWrite(execution, commands.get(0), newTable(commands.get(0))));
  }

  private static QueryExecution running() {
    if (TaskContext.get() != null) {
      return null;
    }
    Long id = property(SQLExecution.EXECUTION_ID_KEY());
    return id == null ? null : SQLExecution.getQueryExecution(id);
  }

  private static Long property(String name) {
    scala.Option<SparkContext> context = SparkContext$.MODULE$.getActive();
    String value = context.isEmpty() ? null : context.get().getLocalProperty(name);
    return value == null ? null : Long.valueOf(value);
  }

  private static List<LogicalPlan> commands(LogicalPlan plan, Predicate<LogicalPlan> isWanted) {
    List<LogicalPlan> found = new ArrayList<>();
    plan.foreach(
        node -> {
          if (isWanted.test(node)) {
            found.add(node);
          }
          return scala.runtime.BoxedUnit.UNIT;
        });
    return found;
  }

  private static boolean isWriteTo(String path, LogicalPlan plan) {
    return plan instanceof InsertIntoHadoopFsRelationCommand insert
        && insert.outputPath().toString().equals(path);
  }

  /** Hive's module is not on every class path. */
  private static boolean isHive(LogicalPlan plan) {
    String name = plan.getClass().getSimpleName();
    return name.equals("InsertIntoHiveTable") || name.equals("InsertIntoHiveDirCommand");
  }

  // ---- a table that the write creates

  /** Looks for the query that creates a table from the rows which this command writes. */
  private static NewTable newTable(InsertIntoHadoopFsRelationCommand command) {
    return creating(command).map(RunningWrite::newTable).orElse(NewTable.NONE);
  }

  private static Optional<CreateDataSourceTableAsSelectCommand> creating(
      InsertIntoHadoopFsRelationCommand command) {
    if (command.mode() != SaveMode.Overwrite) {
      return Optional.empty();
    }
    for (QueryExecution around : around()) {
      for (LogicalPlan plan : commands(around.logical(), node -> isCreating(node, command))) {
        return Optional.of((CreateDataSourceTableAsSelectCommand) plan);
      }
    }
    return Optional.empty();
  }

  /** Returns the queries around this one, the innermost first. */
  private static List<QueryExecution> around() {
    Long own = property(SQLExecution.EXECUTION_ID_KEY());
    Long root = property(SQLExecution.EXECUTION_ROOT_ID_KEY());
    List<QueryExecution> all = new ArrayList<>();
    // Ids only grow, so the queries around this one have ids from the root's to its own.
    for (long id = own - 1; root != null && id >= root; id--) {
      QueryExecution around = SQLExecution.getQueryExecution(id);
      if (around != null) {
        all.add(around);
      }
    }
    return all;
  }

  private static boolean isCreating(LogicalPlan plan, InsertIntoHadoopFsRelationCommand command) {
    return plan instanceof CreateDataSourceTableAsSelectCommand create
        && create.query().fastEquals(command.query());
  }

  /**
   * Says what Spark has checked before it writes: a managed table's location must be empty, and in
   * the default mode the location of any table. The mode Overwrite has dropped the old table.
   */
  private static NewTable newTable(CreateDataSourceTableAsSelectCommand create) {
    if (create.mode() == SaveMode.Overwrite) {
      return NewTable.NONE;
    }
    boolean isChecked =
        create.mode() == SaveMode.ErrorIfExists && !SQLConf.get().allowNonEmptyLocationInCTAS();
    boolean isManaged = create.table().tableType().name().equals("MANAGED");
    return isChecked || isManaged ? NewTable.AT_EMPTY_LOCATION : NewTable.AT_ANY_LOCATION;
  }

  // ---- what it replaces

  /**
   * Returns the save mode and what it is about.
   *
   * @param isDynamic whether the write replaces only the partitions that it has rows for
   */
  public SaveModes saveModes(boolean isDynamic) {
    SaveModes.Mode mode =
        SaveModes.decide(command.mode(), newTable, command.ifPartitionNotExists());
    if (isDynamic || mode == SaveModes.Mode.APPEND) {
      return new SaveModes(mode, List.of());
    }
    List<Path> directories = new ArrayList<>();
    directories.add(new Path(command.outputPath() + staticPrefix()));
    if (mode == SaveModes.Mode.OVERWRITE) {
      directories.addAll(partitionLocations());
    }
    return new SaveModes(mode, directories);
  }

  /** Returns the directory of the partitions that the statement names; empty if it names none. */
  private String staticPrefix() {
    StringBuilder prefix = new StringBuilder();
    for (String column : SparkInternals.partitionColumns(command)) {
      scala.Option<String> value = command.staticPartitions().get(column);
      if (value.isDefined()) {
        prefix
            .append(Path.SEPARATOR)
            .append(ExternalCatalogUtils.getPartitionPathString(column, value.get()));
      }
    }
    return prefix.toString();
  }

  /** Returns the locations of the partitions that the write replaces, as the catalog has them. */
  private List<Path> partitionLocations() {
    SessionState session = SparkInternals.sessionState(execution);
    if (command.catalogTable().isEmpty() || !session.conf().manageFilesourcePartitions()) {
      return List.of();
    }
    CatalogTable table = command.catalogTable().get();
    if (!table.tracksPartitionsInCatalog()) {
      return List.of();
    }
    return SparkInternals.partitionLocations(
        session.catalog(), table.identifier(), command.staticPartitions());
  }

  // ---- its name

  /** Returns the value of an option of the write, whatever the case of its name. */
  public Optional<String> option(String name) {
    return value(command.options(), name);
  }

  /** Returns the options of the write whose names begin like this. */
  public Map<String, String> options(String prefix) {
    Map<String, String> found = new TreeMap<>();
    for (scala.collection.Iterator<scala.Tuple2<String, String>> all = command.options().iterator();
        all.hasNext(); ) {
      scala.Tuple2<String, String> one = all.next();
      if (one._1().startsWith(prefix)) {
        found.put(one._1(), one._2());
      }
    }
    return found;
  }

  /**
   * Returns true if the option is one of a table that is there, or that the write creates, and so
   * of each write to it.
   */
  public boolean isOptionOfTable(String name) {
    return (command.catalogTable().isDefined() && isOption(command.catalogTable().get(), name))
        || creating(command).filter(create -> isOption(create.table(), name)).isPresent();
  }

  private static boolean isOption(CatalogTable table, String name) {
    return value(table.storage().properties(), name).isPresent();
  }

  private static Optional<String> value(
      scala.collection.immutable.Map<String, String> options, String name) {
    for (scala.collection.Iterator<scala.Tuple2<String, String>> all = options.iterator();
        all.hasNext(); ) {
      scala.Tuple2<String, String> one = all.next();
      if (one._1().equalsIgnoreCase(name)) {
        return Optional.of(one._2());
      }
    }
    return Optional.empty();
  }

  /** Returns the number of Spark's execution of the write, in its application. */
  public long executionId() {
    return execution.id();
  }

  /** See {@link StreamBatch#current}. */
  public Optional<StreamBatch> batch() {
    return StreamBatch.current(SparkInternals.session(execution));
  }

  /** See {@link StreamBatch#isNear}. */
  public boolean isNearBatch() {
    return StreamBatch.isNear();
  }

  /** Returns what the write does with the rows of the batch; see {@link PlanText}. */
  public Optional<String> text(StreamBatch batch) {
    return PlanText.of(command.query(), batch.rows()).map(text -> command.mode() + "\n" + text);
  }

  /**
   * Returns true if it is enough that the write's rows are there: it need not tell the catalog of
   * partitions, nor count rows for the user.
   */
  public boolean isOnlyRows() {
    boolean hasPartitions =
        command.catalogTable().isDefined()
            && command.catalogTable().get().tracksPartitionsInCatalog();
    boolean isObserved =
        !commands(
                execution.analyzed(),
                node -> node.getClass().getSimpleName().equals("CollectMetrics"))
            .isEmpty();
    return !hasPartitions && !isObserved;
  }

  /** Returns Spark's configuration for the write, with the options of the writer. */
  public Configuration configuration() {
    return SparkInternals.sessionState(execution).newHadoopConfWithOptions(command.options());
  }
}
