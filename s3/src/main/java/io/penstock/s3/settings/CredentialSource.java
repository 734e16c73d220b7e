/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.auth.StsWebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;

/**
 * A source of credentials. Sources are values, because equal sources share one client. Their text
 * shows no secret.
 */
public interface CredentialSource {
  /** Opens a provider for the caller alone. The caller must close it. */
  OpenCredentials open();

  /** Returns true if requests may be sent without a signature. */
  default boolean mayBeAnonymous() {
    return false;
  }

  /** Returns texts that must never be shown. */
  default List<String> secrets() {
    return List.of();
  }

  /** The AWS security token service (STS), where roles are assumed. */
  record Sts(Optional<URI> endpoint, String region, Duration timeout) {
    StsClient client(AwsCredentialsProvider credentials) {
      return StsClient.builder()
          .region(Region.of(region))
          .credentialsProvider(credentials)
          .applyMutation(builder -> endpoint.ifPresent(builder::endpointOverride))
          .overrideConfiguration(config -> config.apiCallTimeout(timeout))
          .build();
    }
  }

  /** The kinds that need no parameter. */
  enum Plain implements CredentialSource {
    ANONYMOUS("penstock.credentials=anonymous"),
    ENVIRONMENT("environment variables"),
    SYSTEM_PROPERTIES("system properties"),
    CONTAINER("the container's role"),
    INSTANCE("the instance's role");

    private final String words;

    Plain(String words) {
      this.words = words;
    }

    @Override
    public OpenCredentials open() {
      return new OpenCredentials(
          words,
          () ->
              switch (this) {
                case ANONYMOUS -> AnonymousCredentialsProvider.create();
                case ENVIRONMENT -> EnvironmentVariableCredentialsProvider.create();
                case SYSTEM_PROPERTIES -> SystemPropertyCredentialsProvider.create();
                case CONTAINER -> ContainerCredentialsProvider.builder().build();
                case INSTANCE -> InstanceProfileCredentialsProvider.create();
              },
          List.of());
    }

    @Override
    public boolean mayBeAnonymous() {
      return this == ANONYMOUS;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  record DefaultChain(Optional<String> profile) implements CredentialSource {
    @Override
    public OpenCredentials open() {
      return new OpenCredentials(
          toString(),
          () ->
              DefaultCredentialsProvider.builder()
                  .applyMutation(builder -> profile.ifPresent(builder::profileName))
                  .build(),
          List.of());
    }

    @Override
    public String toString() {
      return "the default chain (environment, files, web identity, container, instance)";
    }
  }

  /**
   * Keys that are written in settings.
   *
   * @param names the settings in which they are written
   */
  record StaticKeys(
      String accessKey, String secretKey, Optional<String> sessionToken, List<String> names)
      implements CredentialSource {
    @Override
    public OpenCredentials open() {
      return new OpenCredentials(
          toString(),
          () ->
              StaticCredentialsProvider.create(
                  sessionToken.isPresent()
                      ? AwsSessionCredentials.create(accessKey, secretKey, sessionToken.get())
                      : AwsBasicCredentials.create(accessKey, secretKey)),
          List.of());
    }

    @Override
    public List<String> secrets() {
      return Stream.concat(Stream.of(accessKey, secretKey), sessionToken.stream()).toList();
    }

    /** The same keys are the same credentials, so that buckets share a client. */
    @Override
    public boolean equals(Object other) {
      return other instanceof StaticKeys keys
          && accessKey.equals(keys.accessKey)
          && secretKey.equals(keys.secretKey)
          && sessionToken.equals(keys.sessionToken);
    }

    @Override
    public int hashCode() {
      return Objects.hash(accessKey, secretKey, sessionToken);
    }

    @Override
    public String toString() {
      return String.join(", ", names);
    }
  }

  record Profile(String name) implements CredentialSource {
    @Override
    public OpenCredentials open() {
      return new OpenCredentials(
          toString(), () -> ProfileCredentialsProvider.create(name), List.of());
    }

    @Override
    public String toString() {
      return "the profile " + name;
    }
  }

  /**
   * The source that uses the token file named by the environment, as for Kubernetes service
   * accounts.
   */
  record WebIdentity(Optional<String> roleArn, String session, Sts sts)
      implements CredentialSource {
    @Override
    public OpenCredentials open() {
      StsClient client = sts.client(AnonymousCredentialsProvider.create());
      return new OpenCredentials(
          toString(),
          // Built on first use, because it cannot be built without its environment variables.
          () ->
              StsWebIdentityTokenFileCredentialsProvider.builder()
                  .stsClient(client)
                  .roleSessionName(session)
                  .applyMutation(builder -> roleArn.ifPresent(builder::roleArn))
                  .build(),
          List.of(client));
    }

    @Override
    public String toString() {
      return "web identity (AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN)";
    }
  }

  record AssumedRole(
      CredentialSource base,
      String arn,
      String session,
      Optional<String> externalId,
      Optional<String> policy,
      Duration duration,
      Sts sts)
      implements CredentialSource {
    @Override
    public OpenCredentials open() {
      OpenCredentials own = base.open();
      StsClient client = sts.client(own);
      AssumeRoleRequest request =
          AssumeRoleRequest.builder()
              .roleArn(arn)
              .roleSessionName(session)
              .durationSeconds(Math.toIntExact(duration.toSeconds()))
              .applyMutation(builder -> externalId.ifPresent(builder::externalId))
              .applyMutation(builder -> policy.ifPresent(builder::policy))
              .build();
      return new OpenCredentials(
          toString(),
          () ->
              StsAssumeRoleCredentialsProvider.builder()
                  .stsClient(client)
                  .refreshRequest(request)
                  .build(),
          List.of(client, own));
    }

    @Override
    public List<String> secrets() {
      return base.secrets();
    }

    @Override
    public String toString() {
      return "the role %s, assumed by %s".formatted(arn, base);
    }
  }

  /** Uses the first of several sources that has credentials. */
  record Chain(List<CredentialSource> sources) implements CredentialSource {
    public Chain {
      sources = List.copyOf(sources);
    }

    @Override
    public boolean mayBeAnonymous() {
      return sources.stream().anyMatch(CredentialSource::mayBeAnonymous);
    }

    @Override
    public OpenCredentials open() {
      List<OpenCredentials> opened = new ArrayList<>();
      sources.forEach(source -> opened.add(source.open()));
      return new OpenCredentials(
          toString(),
          () ->
              AwsCredentialsProviderChain.builder()
                  .credentialsProviders(List.copyOf(opened))
                  .build(),
          List.copyOf(opened));
    }

    @Override
    public List<String> secrets() {
      return sources.stream().flatMap(source -> source.secrets().stream()).toList();
    }

    @Override
    public String toString() {
      return String.join(", ", sources.stream().map(CredentialSource::toString).toList());
    }
  }
}
