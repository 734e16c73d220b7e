/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Under whose clients the engine is put, and under whose it is not. */
class OtherClientsTest {
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";
  private static final String SDK_2 = "org.apache.hadoop.fs.s3a.impl.AWSClientConfig";
  private static final String S3_FILE_IO = "org.apache.iceberg.aws.s3.S3FileIO";
  private static final String UNDER_S3A = "io.penstock.sdk.S3AClientFactory";
  private static final String UNDER_ICEBERG = "io.penstock.sdk.IcebergClientFactory";
  private static final String FACTORY = "s3.client-factory-impl";

  private final SparkConf spark = new SparkConf(false);
  private final Configuration hadoop = new Configuration(false);
  private final Set<String> classes =
      new HashSet<>(Set.of(S3A, SDK_2, UNDER_S3A, S3_FILE_IO, UNDER_ICEBERG));
  private final OtherClients others =
      new OtherClients(
          spark,
          hadoop,
          new OtherClients.Classes() {
            @Override
            public boolean has(String name) {
              return classes.contains(name);
            }

            @Override
            public boolean has(String name, String asSeenFrom) {
              return classes.contains(asSeenFrom) && classes.contains(name);
            }
          });

  private void catalog(String name, String property, String value) {
    spark.set("spark.sql.catalog." + name, "org.apache.iceberg.spark.SparkCatalog");
    spark.set("spark.sql.catalog." + name + "." + property, value);
  }

  private String factory(String catalog) {
    return spark.get("spark.sql.catalog." + catalog + "." + FACTORY, "");
  }

  @Test
  void s3aGetsTheEngine() {
    assertThat(others.underS3A(hadoop::set)).isTrue();
    assertThat(hadoop.get("fs.s3a.s3.client.factory.impl"))
        .isEqualTo("io.penstock.sdk.S3AClientFactory");
    assertThat(others.underS3A(hadoop::set)).as("our own factory is kept").isTrue();
  }

  @Test
  void s3asOtherClientsAreAtLeastPaced() {
    others.underS3A(hadoop::set);
    String pacing = "io.penstock.sdk.PacingInterceptor";
    assertThat(hadoop.get(OtherClients.S3A_INTERCEPTORS)).isEqualTo(pacing);
    others.underS3A(hadoop::set);
    assertThat(hadoop.get(OtherClients.S3A_INTERCEPTORS)).isEqualTo(pacing);
    hadoop.set(OtherClients.S3A_INTERCEPTORS, "com.example.Audit");
    others.underS3A(hadoop::set);
    assertThat(hadoop.get(OtherClients.S3A_INTERCEPTORS)).isEqualTo("com.example.Audit," + pacing);
  }

  @Test
  void withoutS3aNothingIsSet() {
    classes.clear();
    assertThat(others.underS3A(hadoop::set)).isFalse();
    assertThat(hadoop.get("fs.s3a.s3.client.factory.impl")).isNull();
  }

  @Test
  void anOlderS3aAndAFactoryOfTheUserAreRefused() {
    classes.remove(SDK_2);
    assertThatThrownBy(() -> others.underS3A(hadoop::set))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("older than 3.4");
    hadoop.set("fs.s3a.s3.client.factory.impl", "com.example.Factory");
    assertThatThrownBy(() -> others.underS3A(hadoop::set))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("com.example.Factory");
  }

  @Test
  void catalogsWithS3FileIoGetTheEngine() {
    catalog("own", "io-impl", S3_FILE_IO);
    catalog("resolving", "io-impl", "org.apache.iceberg.io.ResolvingFileIO");
    catalog("rest", "type", "rest");
    catalog("glue", "catalog-impl", "org.apache.iceberg.aws.glue.GlueCatalog");
    assertThat(others.underIceberg()).containsExactly("glue", "own", "resolving", "rest");
    assertThat(List.of(factory("own"), factory("resolving"), factory("rest"), factory("glue")))
        .containsOnly("io.penstock.sdk.IcebergClientFactory");
    assertThat(others.underIceberg()).as("once more").hasSize(4);
  }

  @Test
  void whatDoesNotSeeTheOtherIsLeftAlone() {
    classes.remove(UNDER_ICEBERG);
    catalog("own", "io-impl", S3_FILE_IO);
    assertThat(others.underIceberg()).isEmpty();
    assertThat(factory("own")).isEmpty();
    classes.remove(UNDER_S3A);
    assertThatThrownBy(() -> others.underS3A(hadoop::set))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("same place");
  }

  @Test
  void theOthersAreLeftAsTheyAre() {
    catalog("hadoop", "type", "hadoop");
    catalog("files", "io-impl", "org.apache.iceberg.hadoop.HadoopFileIO");
    catalog("chosen", "io-impl", S3_FILE_IO);
    catalog("chosen", FACTORY, "com.example.Factory");
    catalog("roles", "type", "glue");
    catalog("roles", "client.factory", "org.apache.iceberg.aws.AssumeRoleAwsClientFactory");
    catalog("lakes", "type", "glue");
    catalog("lakes", "glue.lakeformation-enabled", "true");
    spark.set("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.DeltaCatalog");
    assertThat(others.underIceberg()).isEmpty();
    assertThat(factory("chosen")).isEqualTo("com.example.Factory");
    assertThat(factory("roles") + factory("hadoop") + factory("files")).isEmpty();
    classes.remove(S3_FILE_IO);
    catalog("own", "io-impl", S3_FILE_IO);
    assertThat(others.underIceberg()).isEmpty();
  }
}
