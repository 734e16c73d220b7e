/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.EncryptingStore;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A bucket {@code lake} with a table {@code t}, and jobs that commit to it. */
final class CommitWorld {
  static final OutputTable TABLE = new OutputTable("lake", "t/");

  final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  final InMemoryStore store = new InMemoryStore("lake", time);
  final UnansweredWrites unansweredWrites = new UnansweredWrites(time);

  /** Returns the surroundings of jobs and of those who recover them. */
  final ObjectStore front;

  CommitWorld() {
    front = store;
  }

  /**
   * @param isEncrypted whether ETags tell nothing of the content
   */
  CommitWorld(boolean isEncrypted) {
    front = isEncrypted ? new EncryptingStore(store) : store;
  }

  /** Puts an object whose content is the text. */
  void put(String key, String content) throws IOException {
    store.put(key, Body.ofBytes(content.getBytes(StandardCharsets.UTF_8)), Condition.NONE);
  }

  /** Uploads whose content is the job's id. */
  List<TaskFile> upload(String jobId, String... keys) throws IOException {
    return write(jobId, key -> false, keys);
  }

  /**
   * Files whose content is the job's id.
   *
   * @param isInline whether the content of a file with this key is in the task's message
   */
  List<TaskFile> write(String jobId, Predicate<String> isInline, String... keys)
      throws IOException {
    List<TaskFile> files = new ArrayList<>();
    for (String key : keys) {
      files.add(isInline.test(key) ? inline(jobId, key) : upload(jobId, key));
    }
    return files;
  }

  private TaskUpload upload(String jobId, String key) throws IOException {
    Upload upload = front.createUpload(key, Optional.of(jobId));
    Part part = front.uploadPart(upload, 1, body(jobId));
    return new TaskUpload("lake", new PendingUpload(upload, List.of(part)));
  }

  private static InlineFile inline(String jobId, String key) throws IOException {
    Body body = body(jobId);
    return new InlineFile("lake", key, body.sizeBytes(), Etags.ofContent(body), Optional.of(body));
  }

  private static Body body(String jobId) {
    return Body.ofBytes(jobId.getBytes(StandardCharsets.UTF_8));
  }

  /** Jobs that renew no lease: as time goes on, they look dead. */
  static final Leases NO_LEASES = renewal -> () -> false;

  CommittingJob job(String id) {
    return new CommittingJob(id, "app-" + id, "user", "host", 42, time.now());
  }

  JobCommit commit(ObjectStore seen, String jobId) throws IOException {
    return commit(seen, jobId, Direction.AUTO);
  }

  JobCommit commit(ObjectStore seen, String jobId, Direction recovery) throws IOException {
    return commit(seen, jobId, recovery, NO_LEASES);
  }

  JobCommit commit(ObjectStore seen, String jobId, Direction recovery, Leases leases) {
    return commit(bucket -> seen, Output.of("lake", "t"), jobId, recovery, leases);
  }

  JobCommit commit(Stores stores, Output output, String jobId) {
    return commit(stores, output, jobId, Direction.AUTO, NO_LEASES);
  }

  private JobCommit commit(
      Stores stores, Output output, String jobId, Direction recovery, Leases leases) {
    return new JobCommit(means(stores, recovery, leases), output, started -> job(jobId));
  }

  Means means(ObjectStore seen, Direction recovery, Leases leases) {
    return means(bucket -> seen, recovery, leases);
  }

  private Means means(Stores stores, Direction recovery, Leases leases) {
    CommitConfig config =
        new CommitConfig(Duration.ofMinutes(10), recovery, Duration.ofMinutes(15));
    return new Means(stores, Runnable::run, time, config, leases, unansweredWrites);
  }

  IntentFiles intents(ObjectStore seen) {
    return new IntentFiles(bucket -> seen, TABLE, Runnable::run);
  }

  /** Brings all commits to their ends that are under way at the table. */
  void recover(ObjectStore seen, Direction wish) throws IOException {
    recover(seen, wish, intents(seen).list().intents().values());
  }

  /** Brings these commits to their ends. */
  void recover(ObjectStore seen, Direction wish, Collection<Seen> dead) throws IOException {
    for (Seen intent : dead) {
      UnansweredWrites unanswered = new UnansweredWrites(time);
      ObjectStore watched = LayeredStores.observed(seen, time, unanswered);
      StoreAccess access = new StoreAccess(bucket -> watched, Runnable::run, time, unanswered);
      new FencedRecovery(access, TABLE, NO_LEASES)
          .settle(job("recovery-" + intent.id()), intent, wish, false);
    }
  }

  /** Returns what readers see of the bucket: contents by key. */
  Map<String, String> visible() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    forAll(
        object -> {
          if (!isHidden(object.key())) {
            contents.put(object.key(), content(object));
          }
        });
    return contents;
  }

  /** The names of what Penstock has left at the table. */
  List<String> intentObjects() throws IOException {
    List<String> names = new ArrayList<>();
    forAll(
        object -> {
          if (object.key().contains("/_penstock_intent_")) {
            names.add(object.key());
          }
        });
    return names;
  }

  boolean hasMarker() throws IOException {
    List<String> found = new ArrayList<>();
    forAll(object -> found.add(object.key()));
    return found.contains("t/_SUCCESS");
  }

  /** Returns what {@code _SUCCESS} says. */
  String marker() throws IOException {
    byte[] content = store.get("t/_SUCCESS", new SuffixRange(1000), Optional.empty()).bytes();
    return new String(content, StandardCharsets.UTF_8);
  }

  List<Upload> pending() {
    return store.listUploads("", Optional.empty()).uploads().stream()
        .map(listed -> listed.upload())
        .toList();
  }

  private void forAll(Consumer<ObjectMeta> action) throws IOException {
    store.list(ListRequest.flat("")).objects().forEach(action);
  }

  private String content(ObjectMeta object) {
    try {
      return new String(
          store.get(object.key(), new SuffixRange(100), Optional.empty()).bytes(),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isHidden(String key) {
    return key.substring(key.lastIndexOf('/') + 1).startsWith("_");
  }
}
