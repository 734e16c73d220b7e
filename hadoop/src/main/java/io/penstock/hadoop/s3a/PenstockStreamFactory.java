/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.s3a;

import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.tree.PenstockFileStatus;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.s3a.S3AInputPolicy;
import org.apache.hadoop.fs.s3a.S3ObjectAttributes;
import org.apache.hadoop.fs.s3a.VectoredIOContext;
import org.apache.hadoop.fs.s3a.impl.streams.AbstractObjectInputStreamFactory;
import org.apache.hadoop.fs.s3a.impl.streams.InputStreamType;
import org.apache.hadoop.fs.s3a.impl.streams.ObjectInputStream;
import org.apache.hadoop.fs.s3a.impl.streams.ObjectReadParameters;
import org.apache.hadoop.fs.s3a.impl.streams.StreamFactoryRequirements;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.functional.FutureIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets S3A read by Penstock's streams: {@code fs.s3a.input.stream.type=custom}, {@code
 * fs.s3a.input.stream.custom.factory=io.penstock.hadoop.s3a.PenstockStreamFactory}. Everything else
 * stays S3A's: listings, writes, committers. For hadoop-aws 3.4.2 and later, which call their
 * interface unstable.
 *
 * <p>The streams are those of Penstock's file system for the same bucket, with S3A's settings of
 * endpoint, region, credentials and encryption, which it reads; settings that begin with {@code
 * penstock.} come on top.
 */
public final class PenstockStreamFactory extends AbstractObjectInputStreamFactory {
  private static final String S3A = "fs.s3a.";
  private static final Logger LOG = LoggerFactory.getLogger(PenstockStreamFactory.class);

  private final Map<String, FileSystem> buckets = new HashMap<>();

  public PenstockStreamFactory() {
    super("PenstockStreamFactory");
  }

  @Override
  public ObjectInputStream readObject(ObjectReadParameters parameters) throws IOException {
    S3ObjectAttributes object = parameters.getObjectAttributes();
    FutureDataInputStreamBuilder opening =
        fileSystem(object.getPath().toUri())
            .openFile(object.getPath())
            .withFileStatus(status(object));
    S3AInputPolicy policy = parameters.getContext().getInputPolicy();
    if (policy != S3AInputPolicy.Normal) { // Penstock's own goes by the kind of the file.
      opening.opt(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, policy.toString());
    }
    FSDataInputStream stream = FutureIO.awaitFuture(opening.build());
    return new PenstockObjectStream(parameters, stream);
  }

  /** Returns what S3A knows of the object, so that no request asks for it again. */
  private static FileStatus status(S3ObjectAttributes object) {
    String etag = object.getETag() == null ? null : object.getETag().replace("\"", "");
    return PenstockFileStatus.ofKnown(object.getPath(), object.getLen(), etag);
  }

  private synchronized FileSystem fileSystem(URI path) throws IOException {
    if (isInState(STATE.STOPPED)) {
      throw new IOException(path + ": the file system is closed");
    }
    FileSystem known = buckets.get(path.getAuthority());
    if (known != null) {
      return known;
    }
    FileSystem made;
    try {
      made =
          (FileSystem)
              ReflectionUtils.newInstance(
                  Class.forName(
                      PenstockFileSystem.bestClassName(),
                      true,
                      PenstockStreamFactory.class.getClassLoader()),
                  getConfig());
    } catch (ClassNotFoundException e) {
      throw new IOException("no file system of Penstock for " + path, e);
    }
    try {
      made.initialize(path, ofPenstock(getConfig()));
    } catch (IOException | RuntimeException e) {
      IOUtils.cleanupWithLogger(LOG, made);
      throw e;
    }
    buckets.put(path.getAuthority(), made);
    return made;
  }

  /** Leaves out what only S3A reads: it has its effect there, and needs no warning. */
  private static Configuration ofPenstock(Configuration conf) {
    Configuration own = new Configuration(conf);
    Map<String, String> ofS3a = new HashMap<>();
    conf.getPropsWithPrefix(S3A).forEach((name, value) -> ofS3a.put(S3A + name, value));
    StoreStack.withoutEffect(Settings.of(ofS3a), PenstockStreamFactory.class.getClassLoader())
        .forEach(own::unset);
    return own;
  }

  @Override
  protected void serviceStop() throws Exception {
    synchronized (this) {
      IOUtils.cleanupWithLogger(LOG, buckets.values().toArray(FileSystem[]::new));
      buckets.clear();
    }
    super.serviceStop();
  }

  /** No thread of S3A's is needed: the streams have those of Penstock's engine. */
  @Override
  public StreamFactoryRequirements factoryRequirements() {
    return new StreamFactoryRequirements(0, 0, new VectoredIOContext().build());
  }

  @Override
  public InputStreamType streamType() {
    return InputStreamType.Custom;
  }
}
