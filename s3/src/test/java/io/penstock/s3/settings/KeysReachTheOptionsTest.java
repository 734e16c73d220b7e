/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each key of this module, set by its name to another value, changes what is configured. */
class KeysReachTheOptionsTest {
  /** Key, value, and what else must be set for the key to have a meaning. */
  private static final String CASES =
      """
      endpoint           | https://s3.example.com |
      region             | eu-west-3              |
      path.style         | true                   | endpoint=https://s3.example.com
      endpoint.variant   | fips,dual-stack        |
      tls                | false                  | endpoint=s3.example.com
      credentials        | anonymous              |
      access.key         | AKIAOTHER              | access.key=AKIA secret.key=hidden
      secret.key         | other                  | access.key=AKIA secret.key=hidden
      session.token      | token                  | access.key=AKIA secret.key=hidden
      profile            | other                  | credentials=profile profile=first
      role.arn           | arn:aws:iam::1:role/r  |
      role.session       | other                  | role.arn=arn:aws:iam::1:role/r
      role.external.id   | other                  | role.arn=arn:aws:iam::1:role/r
      role.policy        | {}                     | role.arn=arn:aws:iam::1:role/r
      role.duration      | 45m                    | role.arn=arn:aws:iam::1:role/r
      role.sts.endpoint  | https://sts.example    | role.arn=arn:aws:iam::1:role/r
      encryption         | sse-s3                 |
      encryption.key     | other                  | encryption=sse-kms
      requester.pays     | true                   |
      storage.class      | standard_ia            |
      acl                | private                |
      tags               | team=lake              |
      bucket.owner       | 123456789012           |
      access.point       | arn:aws:s3:us-west-2:123456789012:accesspoint/tables |
      checksum           | sha256                 |
      checksum.reads     | false                  |
      conditional.writes | false                  |
      upload.part.numbers| spaced                 |
      connections.max    | 77                     |
      connect.timeout    | 7s                     |
      socket.timeout     | 77s                    |
      proxy              | http://proxy:3128      |
      proxy.username     | other                  | proxy=http://proxy:3128 proxy.username=u proxy.password=hidden
      proxy.password     | other                  | proxy=http://proxy:3128 proxy.username=u proxy.password=hidden
      user.agent         | job-7                  |
      audit.referer      | false                  |
      """;

  private static S3Options options(Map<String, String> values) {
    Map<String, String> named = new HashMap<>();
    values.forEach((name, value) -> named.put(ConfigKey.PREFIX + name, value));
    named.putIfAbsent("penstock.region", "us-east-1");
    return S3Options.from("lake", Settings.of(named).forBucket("lake"), name -> null);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = CASES)
  void aKeyThatIsSetChangesTheOptions(String name, String value, String others) {
    Map<String, String> settings = new HashMap<>();
    for (String other : others == null ? new String[0] : others.split(" ", -1)) {
      settings.put(other.split("=", 2)[0], other.split("=", 2)[1]);
    }
    S3Options before = options(settings);
    assertThat(options(settings)).as("the same settings").isEqualTo(before);
    settings.put(name, value);
    assertThat(options(settings)).isNotEqualTo(before);
  }

  @Test
  void everyKeyHasACase() {
    Set<String> cases =
        CASES.lines().map(line -> line.split("\\|", -1)[0].strip()).collect(Collectors.toSet());
    assertThat(cases)
        .containsExactlyInAnyOrderElementsOf(S3Keys.ALL.stream().map(ConfigKey::name).toList());
  }
}
