/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy between the client and the store, by Penstock's settings and by S3A's. */
class ProxyTest {
  private static final String BASIC =
      "Basic " + Base64.getEncoder().encodeToString("job:hush".getBytes(StandardCharsets.UTF_8));

  @AutoClose private final GuardedLake lake = new GuardedLake();

  /** A store that only the proxy finds: no name server knows its name. */
  private static Map<String, String> behind(Map<String, String> proxy) {
    Map<String, String> settings = new HashMap<>(proxy);
    settings.put("penstock.endpoint", "http://store.invalid:9000");
    settings.put("penstock.path.style", "true");
    settings.put("penstock.region", "us-east-1");
    return settings;
  }

  private static S3Options options(Map<String, String> proxy) {
    return S3Options.from("lake", Settings.of(behind(proxy)).forBucket("lake"), name -> null);
  }

  @Test
  void requestsGoThroughTheProxyWithItsPassword() throws IOException {
    try (RecordingServer proxy =
        RecordingServer.answering(
            request ->
                BASIC.equals(request.header("Proxy-Authorization"))
                    ? Answer.error(403, "AccessDenied", "no")
                    : new Answer(407, Map.of("Proxy-Authenticate", "Basic realm=p"), ""))) {
      URI address = URI.create(proxy.http());
      for (Map<String, String> settings :
          List.of(
              Map.of(
                  "penstock.proxy", proxy.http(),
                  "penstock.proxy.username", "job",
                  "penstock.proxy.password", "hush"),
              Map.of(
                  "fs.s3a.proxy.host",
                  address.getHost(),
                  "fs.s3a.proxy.port",
                  Integer.toString(address.getPort()),
                  "fs.s3a.proxy.username",
                  "job",
                  "fs.s3a.proxy.password",
                  "hush"))) {
        assertThat(lake.failure("lake", behind(settings), store -> GuardedLake.put(store, "key")))
            .hasMessageContaining("AccessDenied (403)");
      }
      assertThat(
              lake.failure(
                  "lake",
                  behind(Map.of("penstock.proxy", proxy.http())),
                  store -> GuardedLake.put(store, "key")))
          .hasMessageContaining("check penstock.proxy.username");
      assertThat(proxy.received())
          .extracting(request -> request.uri().toString())
          .contains("http://store.invalid:9000/lake/key");
    }
  }

  @Test
  void anAddressWithoutASchemeIsPlainHttp() {
    assertThat(options(Map.of("penstock.proxy", "proxy:3128")).http().proxy())
        .hasToString("Optional[http://proxy:3128]");
  }

  @Test
  void thePortOfS3aIsThatOfTheSchemeUnlessItIsSet() {
    Map<String, String> settings = new HashMap<>(Map.of("fs.s3a.proxy.host", "proxy"));
    settings.put("penstock.tls", "true");
    assertThat(options(settings).http().proxy()).hasToString("Optional[http://proxy:80]");
    settings.put("fs.s3a.proxy.port", "-1");
    assertThat(options(settings).http().proxy()).hasToString("Optional[http://proxy:80]");
    settings.put("fs.s3a.proxy.ssl.enabled", "true");
    settings.put("fs.s3a.proxy.port", "8443");
    assertThat(options(settings).http().proxy()).hasToString("Optional[https://proxy:8443]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://proxy",
        "http://job:hush@proxy:3128",
        "job:hush@proxy:3128",
        "socks://proxy:1080",
        "http://proxy:3128/hush",
        "http://proxy:3128?hush",
        "http://hush hush:1",
        ":3128",
        "proxy:99999"
      })
  void anOddAddressIsRefusedWithoutRepeatingIt(String address) {
    assertThatThrownBy(() -> options(Map.of("penstock.proxy", address)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("penstock.proxy must give the address of an HTTP proxy")
        .hasMessageNotContaining("hush");
  }

  @Test
  void whatIsSetForTheBucketComesFirst() {
    Map<String, String> settings =
        Map.of(
            "penstock.proxy", "HTTP://all:1/",
            "fs.s3a.bucket.lake.proxy.host", "own",
            "fs.s3a.bucket.lake.proxy.port", "2");
    assertThat(options(settings).http().proxy()).hasToString("Optional[http://own:2]");
    assertThat(options(Map.of("penstock.proxy", "HTTP://all:1/")).http().proxy())
        .hasToString("Optional[http://all:1]");
    assertThat(
            options(Map.of("penstock.proxy", "all:1", "penstock.bucket.lake.proxy", ""))
                .http()
                .proxy())
        .isEmpty();
  }

  @Test
  void anotherProxyDoesNotGetThePasswordOfS3as() {
    Map<String, String> settings =
        Map.of(
            "penstock.proxy", "ours:1",
            "fs.s3a.proxy.host", "theirs",
            "fs.s3a.proxy.username", "job",
            "fs.s3a.proxy.password", "hush");
    assertThat(options(settings).http().proxy().orElseThrow().password()).isEmpty();
  }

  @Test
  void aProxyThatDoesNotAnswerIsNamed() throws IOException {
    assertThat(
            lake.failure(
                "lake",
                behind(Map.of("penstock.proxy", "127.0.0.1:1")),
                store -> GuardedLake.put(store, "key")))
        .hasMessageContaining("through the proxy http://127.0.0.1:1 (penstock.proxy)");
  }

  @Test
  void aNameWithoutAPasswordIsRefused() {
    assertThatThrownBy(
            () ->
                options(Map.of("penstock.proxy", "proxy:3128", "penstock.proxy.password", "hush")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("penstock.proxy.username")
        .hasMessageNotContaining("hush");
  }
}
