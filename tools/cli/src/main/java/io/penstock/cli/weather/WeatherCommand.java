/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import io.penstock.emulator.proxy.WeatherProxy;
import io.penstock.emulator.s3.Credentials;
import io.penstock.emulator.s3.Dialect;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.RequestCounts;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock weather}: provides an S3 endpoint for experiments, in any weather.
 */
@Command(
    name = "weather",
    aliases = "proxy",
    description =
        "Starts an S3 endpoint, or a proxy in front of one, that counts requests and can"
            + " add latency, throttling and faults. Ctrl-C stops it and prints the counts.",
    mixinStandardHelpOptions = true)
public final class WeatherCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private WeatherOptions weather;

  @Option(
      names = "--port",
      defaultValue = "9400",
      description = "Port to listen on; 0 chooses any free port. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      split = ",",
      description = "Addresses to listen on, separated by commas. Default: ${DEFAULT-VALUE}.")
  private String[] hosts;

  @Option(
      names = "--upstream",
      paramLabel = "URL",
      description = "Forward all requests to this S3 endpoint, such as http://127.0.0.1:9000.")
  private String upstream;

  @Option(
      names = "--bucket",
      paramLabel = "NAME",
      description = "A bucket to create; may be repeated. Default: lake.")
  private List<String> buckets = List.of("lake");

  @Option(
      names = "--like",
      paramLabel = "STORE",
      defaultValue = "amazon",
      description =
          "Answer as this store documents it: amazon, r2 (Cloudflare), gcs (Google) or b2"
              + " (Backblaze). Default: ${DEFAULT-VALUE}.")
  private String like;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Keep objects in this directory, so that they survive a restart. Default: in memory.")
  private Path directory;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description = "Write a log in the format of S3's server access logs.")
  private Path accessLog;

  @Option(
      names = "--access-key",
      paramLabel = "ID",
      description = "Require signatures with this access key. Default: all requests are accepted.")
  private String accessKey;

  @Option(
      names = "--secret-key",
      paramLabel = "SECRET",
      description = "The secret that goes with --access-key.",
      interactive = true,
      arity = "0..1")
  private String secretKey;

  @Option(
      names = "--counts-every",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Print the counts every SECONDS seconds. Default: only at the end.")
  private int countsEvery;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return upstream == null ? serve() : proxy();
  }

  private int serve() throws IOException, InterruptedException {
    EmbeddedS3.Builder builder =
        EmbeddedS3.builder()
            .host(hosts)
            .port(port)
            .weather(weather.weather())
            .like(Dialect.named(like));
    buckets.forEach(builder::bucket);
    if (directory != null) {
      builder.directory(directory);
    }
    if (accessLog != null) {
      builder.accessLog(accessLog);
    }
    if (accessKey != null) {
      if (secretKey == null) {
        throw new IllegalArgumentException("--access-key needs --secret-key");
      }
      builder.credentials(Credentials.of(accessKey, secretKey));
    }
    EmbeddedS3 s3 = builder.start();
    return run("S3 on " + s3.endpoint() + " with " + buckets, s3::counts, s3::close);
  }

  private static URI url(String text) {
    if (!text.startsWith("http://") && !text.startsWith("https://")) {
      throw new IllegalArgumentException(
          "--upstream needs a scheme: write --upstream=http://" + text);
    }
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("--upstream: " + e.getMessage(), e);
    }
  }

  private int proxy() throws IOException, InterruptedException {
    if (directory != null
        || accessKey != null
        || !buckets.equals(List.of("lake"))
        || Dialect.named(like) != Dialect.AMAZON) {
      throw new IllegalArgumentException(
          "--upstream makes a proxy, which has no --dir, --bucket, --like or --access-key of its"
              + " own");
    }
    Weather made = weather.weather();
    WeatherProxy.Builder builder =
        WeatherProxy.of(url(upstream)).host(hosts).port(port).weather(made);
    if (accessLog != null) {
      builder.accessLog(accessLog);
    }
    WeatherProxy proxy = builder.start();
    return run("proxy on " + proxy.endpoint() + " before " + upstream, proxy::counts, proxy::close);
  }

  private int run(String what, Supplier<RequestCounts.Snapshot> counts, Runnable close)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    CountDownLatch stopped = new CountDownLatch(1);
    Thread atExit =
        new Thread(
            () -> {
              close.run();
              out.println();
              out.print(CountsTable.of(counts.get()));
              out.flush();
              stopped.countDown();
            });
    Runtime.getRuntime().addShutdownHook(atExit);
    out.println(what + "; Ctrl-C stops it");
    out.flush();
    while (countsEvery > 0 && !stopped.await(countsEvery, java.util.concurrent.TimeUnit.SECONDS)) {
      out.print(CountsTable.of(counts.get()));
      out.flush();
    }
    stopped.await();
    return 0;
  }
}
