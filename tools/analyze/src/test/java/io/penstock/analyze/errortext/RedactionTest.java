/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  private static final String BEFORE = "java.net.SocketException: Connection reset ";

  /** None of these is a secret of anybody. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer LEAK.eyJzdWIiOiJ4In0.zzz",
        "Authorization=Bearer LEAKabc",
        "Authorization: Basic LEAKdXNlcjpwYXNz",
        "Headers: (Authorization: AWS4-HMAC-SHA256 LEAKCredential=a/b, SignedHeaders=host)",
        "calls with bearer LEAKabc.def123",
        "--secret-key LEAKabc",
        "--password LEAKabc",
        "--password=LEAKabc",
        "--db-token 'LEAKabc'",
        "-Dfs.s3a.secret.key=LEAKabc",
        "fs.s3a.secret.key -> LEAKabc",
        "secretAccessKey: LEAKabcdefghijklmnopqrstuvwxyz0123456789",
        "secretKey: \"LEAKabc\"",
        "{\"SecretAccessKey\":\"LEAKabcdefghijkl\",\"SessionToken\":\"LEAKtok\"}",
        "AWS_SESSION_TOKEN: LEAKabc",
        "AWS_SECRET_ACCESS_KEY='LEAKabc'",
        "\"password\" : \"LEAKabc\"",
        "pwd=LEAKabc",
        "api_key=LEAKabc",
        "X-Amz-Credential=AKIALEAKXXXXXXXXXXXX/2025",
        "x-amz-security-token: LEAKabc",
        "AKIALEAKABCDEFGHIJKL",
        "https://u:LEAKabc@host/x",
        "https://a.blob.core.windows.net/c?sv=2020&sig=LEAKabc%3D",
        "client_secret=LEAKabc",
        "xoxb-LEAK-123456789012-abcdefghijkl",
        "ghp_LEAKabcdefghijABCDEFGHIJ0123456789",
        "eyJLEAKhbGciOi.eyJzdWIi.c2ln",
        "-----BEGIN RSA PRIVATE KEY----- LEAKabc def",
        "Credentials(accessKeyId=ASIALEAKABCDEFGHIJKL, secretAccessKey=LEAKabc,"
            + " sessionToken=LEAKtok)",
        "secret key is LEAKabcdefghijklmnopqrstuvwxyz0123456789",
        "StringToSign: secret LEAKlrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEK1",
        "Cookie: session=LEAKabc",
        "{\\\"SecretAccessKey\\\":\\\"LEAKabc\\\"}",
        "password = 'LEAK with LEAK'",
        "X-Amz-Signature%3DLEAKabc",
        "(fs.s3a.secret.key,LEAKabc)",
        "aws_secret_access_key => LEAKabc"
      })
  void aSecretIsLeftOut(String text) {
    String label = Redaction.label(BEFORE + text);
    assertThat(label).startsWith(BEFORE).contains("(redacted)").doesNotContain("LEAK");
    assertThat(Redaction.setting("spark.job.description", text)).doesNotContain("LEAK");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Unable to load AWS credentials from any provider in the chain",
        "Token bucket is empty; the retry token is not given back",
        "Basic authentication is required, and bearer authentication is not known",
        "password-less login works",
        "The access key is not known; the secret is wrong",
        "the AWS Access Key Id you provided does not exist in our records",
        "--conf spark.executor.memory=4g --class org.example.Main",
        "s3a://lake/wh/t/part-00000-0f8fad5b-d9cb-469f-a165-70867728950e-c000.snappy.parquet",
        "commit 1fab22706aa84f308223b9f0b76ec1f51aabbccd",
        "org.apache.hadoop.fs.s3a.auth.NoAuthWithAWSException: No AWS Credentials provided",
        "Container killed by YARN for exceeding memory limits. 8.2 GB of 8 GB used"
      })
  void whatIsNoSecretStays(String text) {
    assertThat(Redaction.label(text)).isEqualTo(text);
  }

  /** Names and descriptions come from others: none may take a stack, or time, that grows fast. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a-", "-", "--a.", "password ", "authorization: ", "secret key is ", "bearer ", "eyJ",
        "tokentoken", "aB1/", "-----BEGIN ", "://", "-token", "\"password\"", "=\"", "secret,"
      })
  void aHostileTextIsReadLikeAnyOther(String piece) {
    assertThat(Redaction.label(piece.repeat(4000))).hasSizeLessThanOrEqualTo(Redaction.MAX_LABEL);
  }
}
