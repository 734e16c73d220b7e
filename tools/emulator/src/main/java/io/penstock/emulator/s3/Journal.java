/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.meta.UserMetadata;
import io.penstock.emulator.api.UrlText;
import io.penstock.emulator.s3.FileBlobs.FileBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Records which objects a directory holds. Appends one line for each change before the change is
 * reported. Ignores a last line that a crash cut short. The journal survives a crash of the
 * process. It may not survive a power failure, because nothing is forced to the disk.
 */
final class Journal implements AutoCloseable {
  /**
   * Marks a word of a line as a write id. File names are numbers, so they never begin with this.
   */
  private static final String WRITE_ID = "=";

  /** Marks a word of a line as one of the object's metadata. */
  private static final String USER = "~";

  private final FileChannel channel;
  private final Path blobs;
  private final Map<String, Entry> found = new LinkedHashMap<>();
  private long generation;

  /** An object, with the files of its parts in order. */
  record Entry(
      String etag,
      Instant lastModified,
      Optional<String> writeId,
      UserMetadata user,
      List<FileBody> files) {}

  private Journal(FileChannel channel, Path blobs) {
    this.channel = channel;
    this.blobs = blobs;
  }

  /**
   * Reads the existing journal and locks it against other processes.
   *
   * @param blobs directory of the files that the lines name
   */
  static Journal open(Path file, Path blobs) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw new IOException(file + " is in use by another process; give each its own directory");
      }
      Journal journal = new Journal(channel, blobs);
      journal.read(Files.readString(file, StandardCharsets.UTF_8));
      journal.append("S");
      return journal;
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException(file + " is in use in this process; give each its own directory", e);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void read(String text) throws IOException {
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      replay(text.substring(start, end).split(" ", -1));
      start = end + 1;
    }
    long wholeBytes = text.substring(0, start).getBytes(StandardCharsets.UTF_8).length;
    channel.truncate(wholeBytes);
    channel.position(wholeBytes);
  }

  private void replay(String[] words) throws IOException {
    switch (words[0]) {
      case "S" -> generation++;
      case "D" -> found.remove(UrlText.decode(words[1], false));
      case "P" -> {
        List<FileBody> files = new ArrayList<>();
        Optional<String> writeId =
            words.length > 4 && words[4].startsWith(WRITE_ID)
                ? Optional.of(UrlText.decode(words[4].substring(WRITE_ID.length()), false))
                : Optional.empty();
        SortedMap<String, String> user = new TreeMap<>();
        for (int i = writeId.isPresent() ? 5 : 4; i < words.length; i++) {
          if (words[i].startsWith(USER)) {
            int equals = words[i].indexOf('=');
            user.put(
                UrlText.decode(words[i].substring(USER.length(), equals), false),
                UrlText.decode(words[i].substring(equals + 1), false));
            continue;
          }
          int colon = words[i].indexOf(':');
          Path file = blobs.resolve(words[i].substring(0, colon));
          files.add(new FileBody(file, Long.parseLong(words[i].substring(colon + 1))));
        }
        Instant time = Instant.ofEpochMilli(Long.parseLong(words[1]));
        found.put(
            UrlText.decode(words[3], false),
            new Entry(words[2], time, writeId, new UserMetadata(user), files));
      }
      default -> throw new IOException("journal line of unknown kind " + words[0]);
    }
  }

  /** Returns the objects that the journal contained when it was opened. */
  Map<String, Entry> found() {
    return found;
  }

  /** Returns how often the journal had been opened before. */
  long generation() {
    return generation;
  }

  void stored(String key, Entry entry) throws IOException {
    StringBuilder line = new StringBuilder("P ").append(entry.lastModified().toEpochMilli());
    line.append(' ').append(entry.etag()).append(' ').append(UrlText.encode(key, true));
    entry
        .writeId()
        .ifPresent(id -> line.append(' ').append(WRITE_ID).append(UrlText.encode(id, true)));
    entry
        .user()
        .values()
        .forEach(
            (name, value) ->
                line.append(' ')
                    .append(USER)
                    .append(UrlText.encode(name, true))
                    .append('=')
                    .append(UrlText.encode(value, true)));
    for (FileBody body : entry.files()) {
      line.append(' ').append(body.file().getFileName()).append(':').append(body.sizeBytes());
    }
    append(line.toString());
  }

  void deleted(String key) throws IOException {
    append("D " + UrlText.encode(key, true));
  }

  private synchronized void append(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}
