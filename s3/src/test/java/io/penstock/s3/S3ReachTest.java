/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.credentials.CredentialProvider;
import io.penstock.core.credentials.Credentials;
import io.penstock.core.store.Reach;
import io.penstock.core.store.Reach.Identity;
import io.penstock.core.time.SystemTime;
import io.penstock.s3.S3Clients.ClientKey;
import io.penstock.s3.S3Clients.Opened;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.S3Client;

class S3ReachTest {
  private static Reach reach(String bucket, String... settings) {
    Map<String, String> values = new HashMap<>(Map.of("penstock.region", "eu-central-1"));
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      values.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    Settings ofBucket = Settings.of(values).forBucket(bucket);
    return new S3Reach(bucket, S3Options.from(bucket, ofBucket, name -> null));
  }

  @ParameterizedTest
  @CsvSource({
    "lake, penstock.tls=true, https://lake.s3.eu-central-1.amazonaws.com/, false, true",
    "my.lake, penstock.tls=true, https://s3.eu-central-1.amazonaws.com/my.lake, true, true",
    "lake, penstock.region=cn-north-1, https://lake.s3.cn-north-1.amazonaws.com.cn/, false, true",
    "lake, penstock.endpoint=http://minio:9000, http://minio:9000/lake, true, false",
    "lake, penstock.endpoint=https://s3.store.example, https://lake.s3.store.example/, false,"
        + " false",
    "lake, penstock.endpoint=http://[::1]:9000/s3, http://[::1]:9000/s3/lake, true, false",
  })
  void requestsGoWhereTheSdkSendsThem(
      String bucket, String setting, String url, boolean isPathStyle, boolean isAws) {
    Reach reach = reach(bucket, setting);
    assertThat(reach.bucketUrl()).hasToString(url);
    assertThat(reach.isPathStyle()).isEqualTo(isPathStyle);
    assertThat(reach.isAws()).isEqualTo(isAws);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fips                 | https://lake.s3-fips.us-west-2.amazonaws.com/",
        "dual-stack           | https://lake.s3.dualstack.us-west-2.amazonaws.com/",
        "fips, dual-stack     | https://lake.s3-fips.dualstack.us-west-2.amazonaws.com/",
        "accelerate           | https://lake.s3-accelerate.amazonaws.com/",
        "accelerate,dualstack | https://lake.s3-accelerate.dualstack.amazonaws.com/",
      })
  void aVariantOfAwssEndpointIsTheOneThatTheSdkUses(String variant, String url) {
    Settings settings =
        Settings.of(
            Map.of(
                "penstock.region", "us-west-2",
                "penstock.credentials", "anonymous",
                "penstock.endpoint.variant", variant));
    S3Options options = S3Options.from("lake", settings.forBucket("lake"), name -> null);
    ClientKey key =
        new ClientKey(options.endpoint(), "us-west-2", options.credentials(), options.http());

    assertThat(new S3Reach("lake", options).bucketUrl()).hasToString(url);
    try (Opened opened =
        new ClientFactory(SystemTime.INSTANCE, new SplittableRandom(1)).build(key)) {
      assertThat(hostOf(opened.client(), "lake")).isEqualTo(URI.create(url).getHost());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "penstock.tls=true | https://tables-123456789012.s3-accesspoint.us-west-2.amazonaws.com/",
        "penstock.endpoint.variant=fips"
            + " | https://tables-123456789012.s3-accesspoint-fips.us-west-2.amazonaws.com/",
        "penstock.endpoint.variant=dual-stack"
            + " | https://tables-123456789012.s3-accesspoint.dualstack.us-west-2.amazonaws.com/",
        "penstock.endpoint=https://accesspoint.vpce-1a.s3.us-west-2.vpce.amazonaws.com"
            + " | https://tables-123456789012.accesspoint.vpce-1a.s3.us-west-2.vpce.amazonaws.com/",
      })
  void anAccessPointIsAskedInsteadOfTheBucket(String setting, String url) {
    String[] pair = setting.split("=", 2);
    String arn = "arn:aws:s3:us-west-2:123456789012:accesspoint/tables";
    // S3A's own name of the setting. The region of the bucket is that of the access point.
    Settings settings =
        Settings.of(
            Map.of(
                "penstock.region",
                "eu-central-1",
                "penstock.credentials",
                "anonymous",
                "fs.s3a.bucket.my.lake.accesspoint.arn",
                arn,
                pair[0],
                pair[1]));
    S3Options options = S3Options.from("my.lake", settings.forBucket("my.lake"), name -> null);
    assertThat(options.region()).hasValue("us-west-2");
    assertThat(new S3Reach("my.lake", options).bucketUrl()).hasToString(url);
    ClientKey key =
        new ClientKey(options.endpoint(), "us-west-2", options.credentials(), options.http());
    String asked = new SdkRequests("my.lake", options).head("k").bucket();
    try (Opened opened =
        new ClientFactory(SystemTime.INSTANCE, new SplittableRandom(1)).build(key)) {
      assertThat(hostOf(opened.client(), asked)).isEqualTo(URI.create(url).getHost());
    }
  }

  @Test
  void anAccessPointIsOfAwsOnly() {
    assertThatThrownBy(
            () ->
                reach(
                    "lake",
                    "penstock.endpoint=http://127.0.0.1:9000",
                    "penstock.access.point=arn:aws:s3:us-west-2:123456789012:accesspoint/tables"))
        .hasMessageContaining("penstock.access.point needs an endpoint of AWS");
  }

  /** Returns the host that a client would send a request to. */
  private static String hostOf(S3Client client, String bucket) {
    AtomicReference<String> host = new AtomicReference<>();
    ExecutionInterceptor stop =
        new ExecutionInterceptor() {
          @Override
          public void beforeTransmission(
              Context.BeforeTransmission context, ExecutionAttributes attributes) {
            host.set(context.httpRequest().host());
            throw new IllegalStateException("nothing is sent");
          }
        };
    assertThatThrownBy(
            () ->
                client.getObject(
                    get ->
                        get.bucket(bucket)
                            .key("k")
                            .overrideConfiguration(
                                o -> o.addPlugin(c -> withInterceptor(c, stop)))))
        .hasStackTraceContaining("nothing is sent");
    return host.get();
  }

  private static void withInterceptor(
      SdkServiceClientConfiguration.Builder client, ExecutionInterceptor interceptor) {
    client.overrideConfiguration(
        client.overrideConfiguration().toBuilder().addExecutionInterceptor(interceptor).build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lake | penstock.endpoint.variant=fibs | is not one of fips, dual-stack, accelerate",
        "lake | penstock.endpoint.variant=fips,accelerate | both fips and accelerate",
        "my.lake | penstock.endpoint.variant=accelerate | because of its dot",
        "lake | penstock.bucket.owner=me | which has 12 digits",
        "lake | penstock.tags=team | is not KEY=VALUE",
        "lake | penstock.tags=a=1,a=2 | stands twice",
        "logs--use1-az4--x-s3 | penstock.tls=true | is a directory bucket",
        "mfzwi23gnjvgw.mrap | penstock.tls=true | is a multi-region access point",
        "lake | penstock.access.point=my-point | is not the ARN of an access point",
        "lake | penstock.access.point=arn:aws:s3-object-lambda:us-east-1:123456789012:accesspoint/p"
            + " | have no known length",
        "lake | penstock.access.point=arn:aws:s3::123456789012:accesspoint/mfzw.mrap"
            + " | is a multi-region one",
      })
  void whatCannotWorkIsRefusedByName(String bucket, String setting, String words) {
    assertThatThrownBy(() -> reach(bucket, setting))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  @Test
  void credentialsAreNamedByTheirSourceAndNotShown() throws IOException {
    Identity keys =
        reach("lake", "penstock.access.key=hunter2", "penstock.secret.key=hunter3").identity();
    assertThat(keys.source()).isEqualTo("penstock.access.key, penstock.secret.key");
    assertThat(keys.toString()).doesNotContain("hunter");
    assertThat(keys.expires()).isEmpty();
    assertThat(reach("lake", "penstock.credentials=anonymous").identity().isAnonymous()).isTrue();
  }

  /** Its credentials come from nowhere: the class has no constructor that anybody may use. */
  public static final class Sealed implements CredentialProvider {
    private Sealed() {}

    @Override
    public Credentials credentials() {
      return null;
    }
  }

  @Test
  void aProviderThatCannotBeCreatedSaysWhyAndNotWhatTheJvmSays() {
    assertThatThrownBy(
            () ->
                reach("lake", "fs.s3a.aws.credentials.provider=" + Sealed.class.getName())
                    .identity())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it has no public constructor with (URI, Configuration)");
  }

  @Test
  void whatIsWrongIsNamedAsItWasSet() {
    Map.of(
            "fs.s3a.acl.default=Foo", "fs.s3a.acl.default=Foo is not a canned ACL",
            "fs.s3a.create.storage.class=onezone", "fs.s3a.create.storage.class=onezone is not a",
            "penstock.bucket.lake.tags=team", "penstock.bucket.lake.tags: 'team' is not",
            "fs.s3a.endpoint=http:/minio", "fs.s3a.endpoint='http:/minio' lacks a slash")
        .forEach(
            (setting, words) ->
                assertThatThrownBy(() -> reach("lake", setting))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith(words));
  }

  @Test
  void noCredentialsSayWhereWasLooked() {
    assertThatThrownBy(() -> reach("lake", "penstock.profile=no-such-profile-here").identity())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no credentials from the profile no-such-profile-here");
  }
}
