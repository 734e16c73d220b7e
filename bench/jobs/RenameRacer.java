/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/**
 * One of two processes that bench/run rename-race lets rename to one name. Reads lines: {@code write
 * PATH BYTES}, {@code rename FROM TO} by FileSystem and {@code context FROM TO} by FileContext;
 * answers each with {@code done}, {@code won}, {@code lost} or {@code failed REASON}.
 */
final class RenameRacer {
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    for (int i = 1; i + 1 < arguments.length; i += 2) {
      conf.set(arguments[i], arguments[i + 1]);
    }
    // The keys come by the environment, where nobody else reads them.
    URI bucket = URI.create(arguments[0]);
    FileSystem fs = FileSystem.get(bucket, conf);
    FileContext context = FileContext.getFileContext(bucket, conf);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      System.out.println(answer(fs, context, words));
    }
  }

  private static String answer(FileSystem fs, FileContext context, String[] words) {
    try {
      switch (words[0]) {
        case "write":
          write(fs, new Path(words[1]), Integer.parseInt(words[2]));
          return "done";
        case "rename":
          return fs.rename(new Path(words[1]), new Path(words[2])) ? "won" : "lost";
        default:
          context.rename(new Path(words[1]), new Path(words[2]), Options.Rename.NONE);
          return "won";
      }
    } catch (FileAlreadyExistsException e) {
      return "lost";
    } catch (IOException e) {
      boolean isRefusal = e.getMessage().startsWith("rename from ");
      return isRefusal ? "lost" : "failed " + e.getMessage().replace('\n', ' ');
    }
  }

  private static void write(FileSystem fs, Path path, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    byte[] own = String.valueOf(ProcessHandle.current().pid()).getBytes();
    System.arraycopy(own, 0, content, 0, own.length);
    try (var out = fs.create(path)) {
      out.write(content);
    }
  }
}
