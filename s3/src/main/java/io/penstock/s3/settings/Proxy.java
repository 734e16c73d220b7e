/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The HTTP proxy that connections to the store go through.
 *
 * @param address scheme, host and port
 * @param password never shown
 */
public record Proxy(URI address, Optional<String> username, Optional<String> password) {
  private static final String PORT = "fs.s3a.proxy.port";
  private static final String OVER_TLS = "fs.s3a.proxy.ssl.enabled";
  private static final int PORT_MAX = 65_535;

  /** The keys of S3A that, with its proxy's host, make an address. */
  public static final List<String> FOREIGN = List.of(PORT, OVER_TLS);

  /** Returns the proxy of the settings; empty leaves it to the environment and the JVM. */
  static Optional<Proxy> from(Settings settings) {
    Optional<String> text = settings.get(S3Keys.PROXY).filter(value -> !value.isBlank());
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String source = settings.sourceOf(S3Keys.PROXY).orElseThrow();
    boolean isOurs = source.startsWith(ConfigKey.PREFIX);
    URI address = parse(source, isOurs ? text.get() : ofS3a(settings, text.get()));
    Optional<String> username = credential(settings, S3Keys.PROXY_USERNAME, isOurs);
    Optional<String> password = credential(settings, S3Keys.PROXY_PASSWORD, isOurs);
    if (username.isPresent() != password.isPresent()) {
      throw new ConfigException(
          "Set both penstock.proxy.username and penstock.proxy.password, or neither.");
    }
    return Optional.of(new Proxy(address, username, password));
  }

  /** S3A's user and password are for S3A's proxy: another one does not get them. */
  private static Optional<String> credential(
      Settings settings, ConfigKey<Optional<String>> key, boolean isOurs) {
    boolean isS3as = settings.sourceOf(key).filter(name -> name.startsWith("fs.")).isPresent();
    return isOurs && isS3as ? Optional.empty() : settings.get(key);
  }

  private static String ofS3a(Settings settings, String host) {
    boolean isOverTls = settings.foreign(OVER_TLS).filter(Boolean::parseBoolean).isPresent();
    String port =
        settings
            .foreign(PORT)
            .map(String::strip)
            .filter(text -> !text.startsWith("-"))
            .orElse(isOverTls ? "443" : "80");
    return (isOverTls ? "https://" : "http://") + host.strip() + ":" + port;
  }

  /** The text is not repeated: it may have a password in it. */
  private static URI parse(String key, String text) {
    try {
      URI uri = new URI(text.contains("://") ? text.strip() : "http://" + text.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean isHttp = scheme.equals("http") || scheme.equals("https");
      boolean isBare = uri.getPath().isEmpty() || uri.getPath().equals("/");
      boolean hasPort = uri.getPort() > 0 && uri.getPort() <= PORT_MAX;
      if (isHttp && isBare && uri.getHost() != null && hasPort && isPlain(uri)) {
        return new URI(scheme, null, uri.getHost(), uri.getPort(), null, null, null);
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
