/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.RestoredFile;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.store.Condition;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes and reads the texts of an intent's objects. A text consists of lines, and a line of fields
 * separated by tabs. The first field is the kind of the line. The last line holds the number of
 * lines before it. Tabs, line ends and percent signs in a field are escaped as in a URL.
 */
public final class IntentText {
  /**
   * Since this version, a job has not passed the fence before it has written down what it replaces.
   * An intent of an earlier version cannot be ended by that rule.
   */
  private static final String VERSION = "4";

  /**
   * The version of an intent whose commit has a name. An earlier Penstock must not end it, since it
   * would keep no record of it.
   */
  private static final String NAMED = "5";

  /** The version of an intent that restores files. */
  private static final String RESTORING = "6";

  /** The version of an intent that names the user; it may also have what 5 and 6 have. */
  private static final String WITH_USER = "7";

  private static final Set<String> OF_INTENTS = Set.of(VERSION, NAMED, RESTORING, WITH_USER);

  private static final String INTENT = "penstock-intent";
  private static final String PAGE = "penstock-intent-page";
  private static final String REPLACED = "penstock-intent-replaces";
  private static final String OLD = "old";
  private static final String UPLOAD = "upload";
  private static final String INLINE = "inline";
  private static final String RESTORED = "restored";
  private static final String NAME = "name";
  private static final String USER = "user";
  private static final String REPLACED_PAGE = "penstock-intent-replaces-page";

  private IntentText() {}

  /** The lines of a text that is being written. */
  private static final class Out {
    private final StringBuilder text = new StringBuilder();
    private int lines;

    Out line(Object... fields) {
      for (int i = 0; i < fields.length; i++) {
        text.append(i == 0 ? "" : "\t").append(escaped(String.valueOf(fields[i])));
      }
      text.append('\n');
      lines++;
      return this;
    }

    byte[] end() {
      return line("end", lines).text.toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  /** The lines of a text that is being read. */
  private static final class In {
    private final Deque<String[]> lines = new ArrayDeque<>();

    In(byte[] bytes, String kind) throws IOException {
      for (String line :
          new String(bytes, StandardCharsets.UTF_8).stripTrailing().split("\n", -1)) {
        lines.add(line.split("\t", -1));
      }
      String[] last = lines.removeLast();
      if (!last[0].equals("end") || last.length != 2 || !last[1].equals("" + lines.size())) {
        throw damaged("it is empty or cut short");
      }
      String[] head = fields(kind, 2);
      boolean isKnown =
          kind.equals(INTENT) ? OF_INTENTS.contains(head[1]) : head[1].equals(VERSION);
      if (!isKnown) {
        throw new IOException(
            "a commit's intent has version %s, but this Penstock reads version %s; use the same version of Penstock on all clusters that write the table"
                .formatted(head[1], VERSION));
      }
    }

    boolean hasNext(String name) {
      return !lines.isEmpty() && lines.peek()[0].equals(name);
    }

    String[] fields(String name, int count) throws IOException {
      if (!hasNext(name) || lines.peek().length != count) {
        throw damaged("no line '" + name + "' of " + count + " fields");
      }
      String[] fields = lines.remove();
      for (int i = 1; i < fields.length; i++) {
        fields[i] = unescaped(fields[i]);
      }
      return fields;
    }

    String value(String name) throws IOException {
      return fields(name, 2)[1];
    }

    void end() throws IOException {
      if (!lines.isEmpty()) {
        throw damaged("an unknown line '" + lines.peek()[0] + "'");
      }
    }
  }

  /** Reads a text. An invalid number or name is reported as damage. */
  @FunctionalInterface
  private interface Reading<T> {
    T run() throws IOException;
  }

  private static <T> T read(Reading<T> reading) throws IOException {
    try {
      return reading.run();
    } catch (IllegalArgumentException | DateTimeException e) {
      throw damaged(e.getMessage());
    }
  }

  private static IOException damaged(String why) {
    return new IOException("a commit's intent is damaged: " + why);
  }

  /**
   * Returns the text of the intent itself.
   *
   * @param table at which the intent is, so that an intent in a copy of the table is recognized
   * @param pages number of further objects that hold the files; 0 if this one holds them
   */
  static byte[] of(Intent intent, String table, int pages) {
    CommittingJob job = intent.job();
    Out out =
        new Out()
            .line(INTENT, version(intent))
            .line("table", table)
            .line("job", job.id())
            .line("turn", intent.turn())
            .line("application", job.application());
    if (hasUser(intent)) {
      out.line(USER, job.user());
    }
    out.line("host", job.host())
        .line("pid", job.pid())
        .line("started", job.started())
        .line("alone", intent.isAlone())
        .line("first", intent.isFirst())
        .line("marker", intent.marker(), intent.markerKey())
        .line("rows", number(intent.rows()))
        .line("pages", pages);
    intent
        .name()
        .ifPresent(name -> out.line(NAME, name.text(), name.series(), number(name.batch())));
    if (pages == 0) {
      intent.files().forEach(file -> file(out, file));
    }
    return out.end();
  }

  private static boolean hasUser(Intent intent) {
    return !intent.job().user().equals(CommittingJob.UNKNOWN);
  }

  private static String version(Intent intent) {
    if (hasUser(intent)) {
      return WITH_USER;
    }
    if (intent.restoresFiles()) {
      return RESTORING;
    }
    return intent.name().isPresent() ? NAMED : VERSION;
  }

  static byte[] page(List<TaskFile> files) {
    Out out = new Out().line(PAGE, VERSION);
    files.forEach(file -> file(out, file));
    return out.end();
  }

  /**
   * Returns the text of what a job replaces.
   *
   * @param pages number of further objects that hold the keys; 0 if this one holds them
   */
  static byte[] of(Replaced replaced, int pages) {
    Out out =
        new Out()
            .line(REPLACED, VERSION)
            .line("had-marker", replaced.hadMarker())
            .line("pages", pages);
    if (pages == 0) {
      keys(out, replaced);
    }
    return out.end();
  }

  static byte[] page(Replaced some) {
    Out out = new Out().line(REPLACED_PAGE, VERSION);
    keys(out, some);
    return out.end();
  }

  private static void keys(Out out, Replaced replaced) {
    replaced.old().forEach((key, condition) -> old(out, key, condition.etagToDelete()));
    replaced.inPlace().forEach(key -> out.line("in-place", key.bucket(), key.key()));
  }

  private static void old(Out out, ObjectKey key, Optional<String> etag) {
    if (etag.isPresent()) {
      out.line(OLD, key.bucket(), key.key(), etag.get());
    } else {
      out.line(OLD, key.bucket(), key.key());
    }
  }

  private static void file(Out out, TaskFile file) {
    if (file instanceof TaskUpload upload) {
      upload(out, upload);
    } else if (file instanceof RestoredFile restored) {
      List<Object> fields =
          new ArrayList<>(
              List.of(
                  RESTORED,
                  restored.bucket(),
                  restored.key(),
                  restored.sizeBytes(),
                  restored.etag()));
      fields.addAll(restored.markers());
      out.line(fields.toArray());
    } else {
      // Only the driver has the content. Without it the commit can only be undone.
      InlineFile inline = (InlineFile) file;
      out.line(INLINE, inline.bucket(), inline.key(), inline.sizeBytes(), inline.md5());
    }
  }

  private static void upload(Out out, TaskUpload upload) {
    PendingUpload pending = upload.pending();
    List<Object> fields =
        new ArrayList<>(
            List.of(UPLOAD, upload.bucket(), pending.key(), pending.upload().uploadId()));
    for (Part part : pending.parts()) {
      fields.add(part.number());
      fields.add(part.etag());
      fields.add(part.sizeBytes());
    }
    out.line(fields.toArray());
  }

  /** An intent, the table that it names, and the number of pages that hold its files. */
  record Head(Intent intent, String table, int pages) {}

  static Head head(byte[] bytes) throws IOException {
    return read(
        () -> {
          In in = new In(bytes, INTENT);
          String table = in.value("table");
          String jobId = in.value("job");
          int turn = Integer.parseInt(in.value("turn"));
          CommittingJob job =
              new CommittingJob(
                  jobId,
                  in.value("application"),
                  in.hasNext(USER) ? in.value(USER) : CommittingJob.UNKNOWN,
                  in.value("host"),
                  Long.parseLong(in.value("pid")),
                  Instant.parse(in.value("started")));
          boolean isAlone = Boolean.parseBoolean(in.value("alone"));
          boolean isFirst = Boolean.parseBoolean(in.value("first"));
          String[] marker = in.fields("marker", 3);
          String rows = in.value("rows");
          int pages = Integer.parseInt(in.value("pages"));
          Optional<CommitId> name = name(in);
          Intent intent =
              new Intent(
                  job,
                  turn,
                  isAlone,
                  isFirst,
                  marker[2],
                  SuccessMarker.valueOf(marker[1]),
                  number(rows),
                  name,
                  files(in));
          return new Head(intent, table, pages);
        });
  }

  private static Optional<CommitId> name(In in) throws IOException {
    if (!in.hasNext(NAME)) {
      return Optional.empty();
    }
    String[] fields = in.fields(NAME, 4);
    return Optional.of(new CommitId(fields[1], fields[2], number(fields[3])));
  }

  static List<TaskFile> filesOfPage(byte[] bytes) throws IOException {
    return read(() -> files(new In(bytes, PAGE)));
  }

  /** The first object of what a job replaces, and the number of pages that hold the keys. */
  record ReplacedHead(Replaced replaced, int pages) {}

  static ReplacedHead replaced(byte[] bytes) throws IOException {
    return read(
        () -> {
          In in = new In(bytes, REPLACED);
          boolean hadMarker = Boolean.parseBoolean(in.value("had-marker"));
          int pages = Integer.parseInt(in.value("pages"));
          return new ReplacedHead(keys(in, hadMarker), pages);
        });
  }

  static Replaced replacedPage(byte[] bytes) throws IOException {
    return read(() -> keys(new In(bytes, REPLACED_PAGE), false));
  }

  private static Replaced keys(In in, boolean hadMarker) throws IOException {
    Map<ObjectKey, Condition> old = new LinkedHashMap<>();
    while (in.hasNext(OLD)) {
      boolean hasEtag = in.lines.peek().length == 4;
      String[] fields = in.fields(OLD, hasEtag ? 4 : 3);
      old.put(
          new ObjectKey(fields[1], fields[2]),
          hasEtag ? Condition.ifMatch(fields[3]) : Condition.NONE);
    }
    Set<ObjectKey> inPlace = new LinkedHashSet<>();
    while (in.hasNext("in-place")) {
      String[] fields = in.fields("in-place", 3);
      inPlace.add(new ObjectKey(fields[1], fields[2]));
    }
    in.end();
    return new Replaced(hadMarker, old, inPlace);
  }

  private static List<TaskFile> files(In in) throws IOException {
    List<TaskFile> files = new ArrayList<>();
    while (true) {
      if (in.hasNext(UPLOAD)) {
        files.add(upload(in));
      } else if (in.hasNext(INLINE)) {
        files.add(inline(in));
      } else if (in.hasNext(RESTORED)) {
        files.add(restored(in));
      } else {
        break;
      }
    }
    in.end();
    long restored = files.stream().filter(RestoredFile.class::isInstance).count();
    if (restored > 0 && restored < files.size()) {
      throw damaged("a part of its files is restored");
    }
    return files;
  }

  private static TaskUpload upload(In in) throws IOException {
    String[] fields = in.fields(UPLOAD, in.lines.peek().length);
    if (fields.length < 7 || fields.length % 3 != 1) {
      throw damaged("an upload of " + fields.length + " fields");
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 4; i < fields.length; i += 3) {
      parts.add(
          new Part(Integer.parseInt(fields[i]), fields[i + 1], Long.parseLong(fields[i + 2])));
    }
    return new TaskUpload(fields[1], new PendingUpload(new Upload(fields[2], fields[3]), parts));
  }

  private static RestoredFile restored(In in) throws IOException {
    String[] fields = in.fields(RESTORED, in.lines.peek().length);
    if (fields.length < 6) {
      throw damaged("a restored file of " + fields.length + " fields");
    }
    List<String> markers = List.of(fields).subList(5, fields.length);
    return new RestoredFile(fields[1], fields[2], Long.parseLong(fields[3]), fields[4], markers);
  }

  private static InlineFile inline(In in) throws IOException {
    String[] fields = in.fields(INLINE, 5);
    return new InlineFile(
        fields[1], fields[2], Long.parseLong(fields[3]), fields[4], Optional.empty());
  }

  private static Object number(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : "-";
  }

  private static OptionalLong number(String text) {
    return text.equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  private static String escaped(String text) {
    return text.replace("%", "%25").replace("\t", "%09").replace("\n", "%0A").replace("\r", "%0D");
  }

  private static String unescaped(String text) {
    return text.replace("%09", "\t").replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%");
  }
}
