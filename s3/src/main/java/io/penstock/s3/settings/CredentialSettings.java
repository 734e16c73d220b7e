/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.MissingConfigException;
import io.penstock.core.config.Settings;
import io.penstock.s3.settings.CredentialSource.AssumedRole;
import io.penstock.s3.settings.CredentialSource.Chain;
import io.penstock.s3.settings.CredentialSource.DefaultChain;
import io.penstock.s3.settings.CredentialSource.Plain;
import io.penstock.s3.settings.CredentialSource.Profile;
import io.penstock.s3.settings.CredentialSource.StaticKeys;
import io.penstock.s3.settings.CredentialSource.Sts;
import io.penstock.s3.settings.CredentialSource.WebIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses the source of credentials from the settings. */
public final class CredentialSettings {
  private static final String PROVIDERS = "fs.s3a.aws.credentials.provider";
  private static final String ROLE_PROVIDERS = "fs.s3a.assumed.role.credentials.provider";
  private static final String EMRFS_PROVIDER = "fs.s3.customAWSCredentialsProvider";

  /**
   * The keys of S3A and EMRFS whose values are class names; a {@link ConfigKey} cannot describe
   * them.
   */
  public static final List<String> FOREIGN = List.of(PROVIDERS, ROLE_PROVIDERS, EMRFS_PROVIDER);

  private static final Pattern KNOWN_CLASS =
      Pattern.compile(
          "(?:org\\.apache\\.hadoop\\.fs\\.s3a\\.(?:auth\\.)?"
              + "|com\\.amazonaws\\.auth\\.(?:profile\\.)?"
              + "|software\\.amazon\\.awssdk\\.auth\\.credentials\\.)(\\w+)");

  private final Settings settings;
  private final Sts sts;

  private CredentialSettings(Settings settings, String region) {
    this.settings = settings;
    this.sts =
        new Sts(
            settings.get(S3Keys.STS_ENDPOINT).map(text -> Endpoint.parse(text, true)),
            region,
            settings.get(S3Keys.SOCKET_TIMEOUT));
  }

  /**
   * Reads the settings of a bucket.
   *
   * @param region the region whose STS is asked if a role is assumed
   */
  public static CredentialSource from(Settings settings, String region) {
    return new CredentialSettings(settings, region).source();
  }

  private CredentialSource source() {
    return switch (settings.get(S3Keys.CREDENTIALS)) {
      case AUTO -> automatic();
      case DEFAULT -> new DefaultChain(settings.get(S3Keys.PROFILE));
      case STATIC -> staticKeys();
      case ANONYMOUS -> Plain.ANONYMOUS;
      case PROFILE -> profile();
      case WEB_IDENTITY -> webIdentity();
      case ASSUMED_ROLE -> assumedRole(withoutRole());
    };
  }

  /**
   * Chooses the source by the keys that are set: our own keys come first, then the classes that
   * S3A's or EMRFS's key names, then S3A's other keys.
   */
  private CredentialSource automatic() {
    if (!oursIsSet()) {
      Optional<CredentialSource> named = named(PROVIDERS).or(() -> named(EMRFS_PROVIDER));
      if (named.isPresent()) {
        return named.get();
      }
    }
    return isSet(S3Keys.ROLE_ARN) ? assumedRole(withoutRole()) : withoutRole();
  }

  private CredentialSource withoutRole() {
    if (isSet(S3Keys.ACCESS_KEY) || isSet(S3Keys.SECRET_KEY) || isSet(S3Keys.SESSION_TOKEN)) {
      return staticKeys();
    }
    return isSet(S3Keys.PROFILE) ? profile() : new DefaultChain(Optional.empty());
  }

  private CredentialSource staticKeys() {
    return staticKeys(settings.get(S3Keys.SESSION_TOKEN));
  }

  private CredentialSource profile() {
    return new Profile(required(S3Keys.PROFILE, "credentials of a profile need"));
  }

  private CredentialSource webIdentity() {
    return new WebIdentity(settings.get(S3Keys.ROLE_ARN), settings.get(S3Keys.ROLE_SESSION), sts);
  }

  private CredentialSource assumedRole(CredentialSource base) {
    return new AssumedRole(
        base,
        required(S3Keys.ROLE_ARN, "an assumed role needs"),
        settings.get(S3Keys.ROLE_SESSION),
        settings.get(S3Keys.ROLE_EXTERNAL_ID),
        settings.get(S3Keys.ROLE_POLICY),
        settings.get(S3Keys.ROLE_DURATION),
        sts);
  }

  /** Returns the source for a list of S3A's provider classes; empty if the list is not set. */
  private Optional<CredentialSource> named(String setting) {
    List<CredentialSource> sources = new ArrayList<>();
    String text = settings.foreign(setting).orElse("");
    for (String name : text.strip().split("[\\s,]+", -1)) {
      if (!name.isEmpty()) {
        ofClass(setting, name).ifPresent(sources::add);
      }
    }
    if (sources.isEmpty() && !text.isBlank()) {
      throw new MissingConfigException(
          "%s=%s needs %s, and not all of these are set."
              .formatted(
                  setting,
                  text.strip(),
                  text.contains("TemporaryAWSCredentialsProvider")
                      ? "fs.s3a.access.key, fs.s3a.secret.key and fs.s3a.session.token"
                      : "fs.s3a.access.key and fs.s3a.secret.key"));
    }
    return sources.size() > 1 ? Optional.of(new Chain(sources)) : sources.stream().findFirst();
  }

  /**
   * Returns the source for one class of the list. Returns empty if the class needs keys that are
   * not set; then the next class is used.
   */
  private Optional<CredentialSource> ofClass(String setting, String className) {
    Matcher known = KNOWN_CLASS.matcher(className);
    return switch (known.matches() ? known.group(1) : "") {
      case "TemporaryAWSCredentialsProvider" ->
          isSet(S3Keys.SESSION_TOKEN) ? Optional.of(staticKeys()) : Optional.empty();
      case "SimpleAWSCredentialsProvider" ->
          isSet(S3Keys.ACCESS_KEY) ? Optional.of(withoutToken()) : Optional.empty();
      case "AnonymousAWSCredentialsProvider", "AnonymousCredentialsProvider" ->
          Optional.of(Plain.ANONYMOUS);
      case "EnvironmentVariableCredentialsProvider" -> Optional.of(Plain.ENVIRONMENT);
      case "SystemPropertyCredentialsProvider", "SystemPropertiesCredentialsProvider" ->
          Optional.of(Plain.SYSTEM_PROPERTIES);
      case "IAMInstanceCredentialsProvider", "EC2ContainerCredentialsProviderWrapper" ->
          Optional.of(new Chain(List.of(Plain.CONTAINER, Plain.INSTANCE)));
      case "ContainerCredentialsProvider" -> Optional.of(Plain.CONTAINER);
      case "InstanceProfileCredentialsProvider" -> Optional.of(Plain.INSTANCE);
      case "ProfileCredentialsProvider", "ProfileAWSCredentialsProvider" ->
          Optional.of(new Profile(settings.get(S3Keys.PROFILE).orElse("default")));
      case "WebIdentityTokenFileCredentialsProvider", "WebIdentityTokenCredentialsProvider" ->
          Optional.of(webIdentity());
      case "DefaultCredentialsProvider", "DefaultAWSCredentialsProviderChain" ->
          Optional.of(new DefaultChain(settings.get(S3Keys.PROFILE)));
      case "AssumedRoleCredentialProvider" ->
          Optional.of(
              assumedRole(
                  setting.equals(ROLE_PROVIDERS)
                      ? withoutRole()
                      : named(ROLE_PROVIDERS).orElseGet(this::withoutRole)));
      default ->
          Optional.of(ProviderClass.load(setting, className, settings.bucket(), settings.origin()));
    };
  }

  private CredentialSource withoutToken() {
    return staticKeys(Optional.empty());
  }

  private CredentialSource staticKeys(Optional<String> sessionToken) {
    List<ConfigKey<?>> keys = new ArrayList<>(List.of(S3Keys.ACCESS_KEY, S3Keys.SECRET_KEY));
    sessionToken.ifPresent(token -> keys.add(S3Keys.SESSION_TOKEN));
    return new StaticKeys(
        required(S3Keys.ACCESS_KEY, "static credentials need"),
        required(S3Keys.SECRET_KEY, "static credentials need"),
        sessionToken,
        keys.stream().flatMap(key -> settings.sourceOf(key).stream()).toList());
  }

  private boolean oursIsSet() {
    return List.of(
            S3Keys.ACCESS_KEY,
            S3Keys.SECRET_KEY,
            S3Keys.SESSION_TOKEN,
            S3Keys.PROFILE,
            S3Keys.ROLE_ARN)
        .stream()
        .flatMap(key -> settings.sourceOf(key).stream())
        .anyMatch(name -> name.startsWith(ConfigKey.PREFIX));
  }

  private boolean isSet(ConfigKey<Optional<String>> key) {
    return settings.get(key).isPresent();
  }

  private String required(ConfigKey<Optional<String>> key, String purpose) {
    return settings
        .get(key)
        .orElseThrow(
            () ->
                new MissingConfigException(
                    settings
                        .sourceOf(key)
                        .map(name -> name + " is empty")
                        .orElse(
                            key.fullName()
                                + " is not set"
                                + key.aliases().stream()
                                    .findFirst()
                                    .map(other -> ", nor is " + other)
                                    .orElse(""))
                        .concat(", and %s it. %s".formatted(purpose, key.doc()))));
  }
}
