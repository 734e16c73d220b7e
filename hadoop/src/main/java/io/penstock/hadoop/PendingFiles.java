/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.life.Jobs;
import io.penstock.core.commit.life.PendingFile;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.upload.InlineBudget;
import io.penstock.core.upload.PendingWriter;
import io.penstock.core.upload.Uploader;
import io.penstock.hadoop.stream.PenstockOutputStream;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.PenstockFileStatus;
import io.penstock.hadoop.tree.Statuses;
import io.penstock.hadoop.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;

/**
 * The view below a reserved segment: the files that task attempts of this process have written but
 * not committed. The view sends no requests and shows no objects of the bucket.
 */
final class PendingFiles {
  private static final String NO_ETAG = "";

  private final String bucket;
  private final Uploader uploader;
  private final Jobs jobs;
  private final Statuses statuses;

  PendingFiles(String bucket, Uploader uploader, Jobs jobs, Statuses statuses) {
    this.bucket = bucket;
    this.uploader = uploader;
    this.jobs = jobs;
    this.statuses = statuses;
  }

  PenstockOutputStream.Destination create(Segment.Split at, Condition condition)
      throws IOException {
    boolean exists = jobs.find(at.segment(), bucket, at.finalKey()).isPresent();
    if (exists && condition.equals(Condition.IF_ABSENT)) {
      throw new FileAlreadyExistsException(
          "the task has written s3://" + bucket + "/" + at.finalKey() + " already");
    }
    // A key that the store may refuse is uploaded: the task must fail that made it, not the job.
    InlineBudget budget =
        KeyLimits.doubt(at.finalKey()).isPresent()
            ? InlineBudget.none()
            : jobs.budget(at.segment(), at.finalKey());
    PendingWriter writer = uploader.writePending(at.finalKey(), at.segment().jobId(), budget);
    PendingFile file = new PendingFile(bucket, at.finalKey(), writer);
    jobs.add(at.segment(), file);
    return new PenstockOutputStream.Destination() {
      @Override
      public OutputStream out() {
        return writer;
      }

      @Override
      public void abort() throws IOException {
        // If the task has written the file anew since, this one is dropped already.
        if (jobs.find(at.segment(), bucket, at.finalKey()).equals(Optional.of(file))) {
          jobs.discard(at.segment(), bucket, at.finalKey());
        }
      }
    };
  }

  Optional<Tree.Node> find(Segment.Split at) {
    Optional<PendingFile> file = jobs.find(at.segment(), bucket, at.finalKey());
    if (file.isPresent()) {
      return Optional.of(new Tree.Node(file.map(PendingFiles::meta)));
    }
    boolean root = at.finalKey().equals(at.base());
    return root || !under(at).isEmpty() ? Optional.of(Tree.Node.DIRECTORY) : Optional.empty();
  }

  PenstockFileStatus status(Path path, Segment.Split at) throws FileNotFoundException {
    return statuses.of(path, find(at));
  }

  ContentSummary summary(Path path, Segment.Split at) throws FileNotFoundException {
    return statuses.summary(status(path, at));
  }

  /** Returns all files below the path, at any depth. */
  List<PenstockFileStatus> under(Path path, Segment.Split at) {
    String top = Paths.inside(at.finalKey().replaceFirst("/$", ""));
    return under(at).stream()
        .map(meta -> statuses.file(new Path(path, meta.key().substring(top.length())), meta))
        .toList();
  }

  private List<ObjectMeta> under(Segment.Split at) {
    String prefix = at.finalKey().endsWith("/") ? at.finalKey() : at.finalKey() + "/";
    return jobs.under(at.segment(), bucket, at.finalKey().isEmpty() ? "" : prefix).stream()
        .map(PendingFiles::meta)
        .toList();
  }

  boolean isDirectoryWithFiles(Segment.Split at) {
    return find(at).filter(Tree.Node::isDirectory).isPresent() && !under(at).isEmpty();
  }

  boolean delete(Segment.Split at) throws IOException {
    boolean deleted = jobs.discard(at.segment(), bucket, at.finalKey());
    for (ObjectMeta inside : under(at)) {
      deleted |= jobs.discard(at.segment(), bucket, inside.key());
    }
    return deleted;
  }

  private static ObjectMeta meta(PendingFile file) {
    return new ObjectMeta(file.key(), file.sizeBytes(), NO_ETAG, Instant.EPOCH);
  }
}
