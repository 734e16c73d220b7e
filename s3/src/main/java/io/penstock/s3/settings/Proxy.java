/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

/**
 * The HTTP proxy that connections to the store go through.
 *
 * @param address scheme, host and port
 * @param password never shown
 */
public record Proxy(URI address, Optional<String> username, Optional<String> password) {
  private static final String HOST = "fs.s3a.proxy.host";
  private static final String PORT = "fs.s3a.proxy.port";
  private static final String OVER_TLS = "fs.s3a.proxy.ssl.enabled";

  /** The keys of S3A that are read here, whose parts together make an address. */
  public static final List<String> FOREIGN = List.of(HOST, PORT, OVER_TLS);

  /** Returns the proxy of the settings; empty leaves it to the environment and the JVM. */
  static Optional<Proxy> from(Settings settings, boolean usesTls) {
    Optional<URI> address =
        settings
            .get(S3Keys.PROXY)
            .map(text -> parse("penstock.proxy", text))
            .or(() -> ofS3a(settings, usesTls));
    Optional<String> username = settings.get(S3Keys.PROXY_USERNAME);
    Optional<String> password = settings.get(S3Keys.PROXY_PASSWORD);
    if (address.isPresent() && username.isPresent() != password.isPresent()) {
      throw new ConfigException(
          "Set both penstock.proxy.username and penstock.proxy.password, or neither.");
    }
    return address.map(uri -> new Proxy(uri, username, password));
  }

  private static Optional<URI> ofS3a(Settings settings, boolean usesTls) {
    return settings
        .foreign(HOST)
        .map(String::strip)
        .filter(host -> !host.isEmpty())
        .map(
            host -> {
              String scheme =
                  settings.foreign(OVER_TLS).filter(Boolean::parseBoolean).isPresent()
                      ? "https"
                      : "http";
              String port =
                  settings.foreign(PORT).map(String::strip).orElse(usesTls ? "443" : "80");
              return parse(HOST + " and " + PORT, scheme + "://" + host + ":" + port);
            });
  }

  /** The text is not repeated: it may have a password in it. */
  private static URI parse(String key, String text) {
    try {
      URI uri = new URI(text.contains("://") ? text : "http://" + text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean isBare = uri.getPath().isEmpty() || uri.getPath().equals("/");
      if (isHttp && isBare && uri.getHost() != null && uri.getPort() > 0 && isPlain(uri)) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // The same advice.
    }
    throw new ConfigException(
        key
            + " must give the address of an HTTP proxy with its port, such as"
            + " http://proxy.example.com:3128. A name and a password are put into"
            + " penstock.proxy.username and penstock.proxy.password.");
  }

  private static boolean isPlain(URI uri) {
    return uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
