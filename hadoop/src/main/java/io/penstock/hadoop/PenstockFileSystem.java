/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.HadoopKeys;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.hadoop.stream.TaskSplits;
import io.penstock.hadoop.tree.Failures;
import io.penstock.hadoop.tree.KeyName;
import io.penstock.hadoop.tree.Opening;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.Statuses;
import io.penstock.hadoop.tree.Tree;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;

/**
 * S3 as a Hadoop file system, for the schemes {@code s3} and {@code s3a}. Keys imply directories. A
 * file appears when it is closed. A rename is copy + delete. docs/benchmarks.md lists the number of
 * requests of each operation, and tests check it.
 *
 * <p>No method here mentions a type that Hadoop 3.3 lacks, because tools that reflect on the class,
 * such as PySpark's gateway, resolve all types. {@link BulkDeletingFileSystem} adds the features of
 * later Hadoop versions.
 */
public class PenstockFileSystem extends FileSystem {
  /** Wrappers of wrappers end somewhere; one that wraps itself does not. */
  private static final int WRAPPERS_MAX = 8;

  private final Engine engine;
  private URI uri;
  private Path workingDirectory;
  private Paths paths;
  private StoreStack stack;
  private Statuses statuses;
  private Places places;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean closed;

  /** The constructor that Hadoop looks for. */
  public PenstockFileSystem() {
    this(Engine.process());
  }

  /**
   * Makes a file system for a process that has its own engine.
   *
   * @param engine the parts that this file system shares with others
   */
  public PenstockFileSystem(Engine engine) {
    this.engine = engine;
  }

  /** Returns the name of the file system class that the Hadoop on this class path can load. */
  public static String bestClassName() {
    try {
      Class.forName(
          "org.apache.hadoop.fs.BulkDelete", false, PenstockFileSystem.class.getClassLoader());
      return "io.penstock.hadoop.BulkDeletingFileSystem";
    } catch (ClassNotFoundException e) {
      return PenstockFileSystem.class.getName();
    }
  }

  /**
   * Returns the file system itself, or the one that it wraps, if that is Penstock's. Unity Catalog,
   * for example, sets {@code fs.s3.impl} to a file system that chooses a table's credentials and
   * passes each call on.
   */
  public static Optional<PenstockFileSystem> behind(FileSystem fs) {
    FileSystem inner = fs;
    for (int depth = 0; depth < WRAPPERS_MAX; depth++) {
      if (inner instanceof PenstockFileSystem ours) {
        return Optional.of(ours);
      }
      if (!(inner instanceof FilterFileSystem filter)) {
        break;
      }
      inner = filter.getRawFileSystem();
    }
    return Optional.empty();
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    String bucket = Paths.bucketOf(name);
    setConf(conf);
    uri = URI.create(name.getScheme() + "://" + bucket);
    super.initialize(uri, conf);
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    workingDirectory = new Path("/user", user).makeQualified(uri, new Path("/"));
    paths = new Paths(uri, workingDirectory);
    Settings settings = HadoopSettings.of(conf, engine);
    ClassLoader loader = PenstockFileSystem.class.getClassLoader();
    Ineffective.warnOnce(settings.forBucket(bucket), loader, engine.warnings());
    try {
      stack = StoreStack.open(engine, bucket, settings, loader);
      open(user, loader);
    } catch (IllegalArgumentException e) {
      throw new IOException("cannot use " + uri + ": " + e.getMessage(), e);
    }
  }

  private void open(String user, ClassLoader loader) {
    statuses = new Statuses(user, stack.settings().get(HadoopKeys.BLOCK_SIZE), engine.time());
    Tree tree = new Tree(stack.store());
    places =
        new Places(
            paths,
            new FileReading(stack, paths, tree, statuses, TaskSplits.load(loader), statistics),
            new FileWriting(stack, tree, () -> HadoopSettings.of(getConf(), engine)),
            new PendingFiles(uri.getAuthority(), stack.uploader(), engine.jobs(), statuses),
            engine.warnings(),
            statistics);
  }

  /**
   * Returns the bucket's store. Its failures are not Hadoop's, see {@link Failures#translate}. The
   * file system closes it. Called after {@link #initialize}, as the next two methods are.
   */
  public ObjectStore store() {
    return stack.store();
  }

  /**
   * Returns the bucket's store that retries for a longer time, for committers and checkpoints; see
   * {@link #store}.
   */
  public ObjectStore commitStore() {
    return stack.commitStore();
  }

  /** Returns the bucket's store with its pool and settings, for committers; see {@link #store}. */
  public StoreStack stack() {
    return stack;
  }

  /**
   * Returns the key of a path, which may be relative to the working directory; no key starts or
   * ends with a slash, and the root has the empty key.
   *
   * @throws IllegalArgumentException when the path belongs to another file system
   */
  public String key(Path path) {
    checkPath(path);
    return paths.key(path);
  }

  /** Accepts the bucket's paths of both schemes, because they are the same objects. */
  @Override
  protected void checkPath(Path path) {
    if (!OutputPaths.isIn(uri, path)) {
      super.checkPath(path);
    }
  }

  @Override
  public String getScheme() {
    return uri == null ? "s3" : uri.getScheme();
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public int getDefaultPort() {
    return -1;
  }

  /** Returns null: there are no tokens, and a bucket's name is no host and port. */
  @Override
  public String getCanonicalServiceName() {
    return null;
  }

  @Override
  public Path getWorkingDirectory() {
    return workingDirectory;
  }

  @Override
  public void setWorkingDirectory(Path directory) {
    workingDirectory = paths.qualify(directory);
    paths = new Paths(uri, workingDirectory);
  }

  @Override
  public void close() throws IOException {
    if (closing.getAndSet(true)) {
      return;
    }
    // This call deletes the paths that were marked for deletion on close. So the file system is
    // marked closed only afterwards.
    super.close();
    closed = true;
    if (stack != null) {
      stack.close();
    }
  }

  @Override
  public long getDefaultBlockSize(Path path) {
    return statuses.blockSize();
  }

  @Override
  @Deprecated
  public long getDefaultBlockSize() {
    return statuses.blockSize();
  }

  // ---- reading

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return at(path).status();
  }

  /** Answers for Penstock's other buckets too, see {@link OutputPaths#exists}. */
  @Override
  public boolean exists(Path path) throws IOException {
    return OutputPaths.exists(this, path);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return at(path).open(Opening.unknown(key(path)));
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    Path absolute = absolute(path);
    AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
        parameters.getMandatoryKeys(), Opening.OPTIONS, "for openFile of " + absolute);

    CompletableFuture<FSDataInputStream> opened = new CompletableFuture<>();
    try {
      Opening opening =
          Opening.of(absolute, key(absolute), parameters.getStatus(), parameters.getOptions());
      opened.complete(at(absolute).open(opening));
    } catch (IOException e) {
      opened.completeExceptionally(e);
    }
    return opened;
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    return at(path).entries().toArray(FileStatus[]::new);
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
    return at(path).locatedEntries();
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive)
      throws IOException {
    return recursive ? at(path).filesUnder() : super.listFiles(path, false);
  }

  @Override
  public ContentSummary getContentSummary(Path path) throws IOException {
    return at(path).summary();
  }

  // ---- writing

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    Condition condition = overwrite ? Condition.NONE : Condition.IF_ABSENT;
    return places.create(absolute(path), condition);
  }

  @Override
  @Deprecated
  public FSDataOutputStream createNonRecursive(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    Path absolute = absolute(path);
    if (!absolute.isRoot()) {
      places.requireDirectory(absolute.getParent());
    }
    boolean overwrite = flags.contains(CreateFlag.OVERWRITE);
    return places.create(absolute, overwrite ? Condition.NONE : Condition.IF_ABSENT);
  }

  @Override
  public FSDataOutputStreamBuilder<?, ?> createFile(Path path) {
    checkPath(path);
    return new CreateBuilder(this, places, paths.qualify(path));
  }

  /** Creates an empty file with one conditional PUT. Hadoop's check and create is not atomic. */
  @Override
  public boolean createNewFile(Path path) throws IOException {
    try {
      places.create(absolute(path), Condition.IF_ABSENT).close();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * Copies a local file. If the target's name is surely a file's, the copy needs only the requests
   * of the upload. Spark saves RocksDB files this way.
   */
  @Override
  public void copyFromLocalFile(boolean deleteSource, boolean overwrite, Path source, Path target)
      throws IOException {
    FileSystem local = getLocal(getConf());
    if (!KeyName.isSurelyFile(key(target)) || !local.getFileStatus(source).isFile()) {
      super.copyFromLocalFile(deleteSource, overwrite, source, target);
      return;
    }
    try (FSDataInputStream content = local.open(source)) {
      places.upload(content, absolute(target), overwrite ? Condition.NONE : Condition.IF_ABSENT);
    }
    if (deleteSource) {
      local.delete(source, false);
    }
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress)
      throws IOException {
    return places.append(absolute(path));
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    return at(path).mkdirs();
  }

  @Override
  public boolean rename(Path source, Path target) throws IOException {
    return places.rename(absolute(source), absolute(target));
  }

  /** Renames. With OVERWRITE, the copy replaces the target file, which is never missing. */
  @Override
  @Deprecated
  protected void rename(Path source, Path target, Options.Rename... options) throws IOException {
    if (absolute(source).equals(absolute(target))) {
      throw new FileAlreadyExistsException("source and target of a rename are both " + source);
    }
    boolean overwrite = List.of(options).contains(Options.Rename.OVERWRITE);
    if (!overwrite || !places.replaced(absolute(source), absolute(target))) {
      super.rename(source, target, options);
    }
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    return at(path).delete(recursive);
  }

  @Override
  public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) throws IOException {
    return new Multipart.Builder(this, absolute(base));
  }

  /** Returns the object's headers and its user-defined metadata, under S3A's names. */
  @Override
  public Map<String, byte[]> getXAttrs(Path path) throws IOException {
    return at(path).published().attributes();
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
    Map<String, byte[]> found = getXAttrs(path);
    found.keySet().retainAll(names);
    return found;
  }

  /** Returns an attribute; null if the object has none of this name. */
  @Override
  public byte[] getXAttr(Path path, String name) throws IOException {
    return getXAttrs(path).get(name);
  }

  @Override
  public List<String> listXAttrs(Path path) throws IOException {
    return List.copyOf(getXAttrs(path).keySet());
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return Capabilities.has(capability) || super.hasPathCapability(path, capability);
  }

  /** Resolves a path. */
  Place at(Path path) throws IOException {
    return places.of(absolute(path));
  }

  private Path absolute(Path path) throws IOException {
    checkPath(path);
    if (closed) {
      throw new IOException("the file system of " + uri + " is closed");
    }
    return paths.qualify(path);
  }

  @Override
  public String toString() {
    return "PenstockFileSystem{" + uri + "}";
  }
}
