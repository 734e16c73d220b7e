/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.emulator.s3.Dialect;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.s3.settings.S3Options;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** On the embedded server, or on the real one that the system properties name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3StoreContractTest extends ObjectStoreContract {
  private static final String NO_CONDITIONS = "has no conditional writes";
  private static final String REFUSES_CONDITIONS = "refuses conditional writes";
  private static final String COPIES_NO_PARTS = "copies no parts";

  private EmbeddedS3 embedded;

  @BeforeAll
  void openTheServer() throws Exception {
    if (RealStore.named().isPresent()) {
      RealStore.named().get().createBucket();
    } else {
      embedded = EmbeddedS3.builder().bucket("lake").like(dialect()).start();
    }
  }

  /** Returns which store the embedded server is to be like. */
  protected Dialect dialect() {
    return Dialect.AMAZON;
  }

  @AfterAll
  void closeTheServer() {
    if (embedded != null) {
      embedded.close();
    }
  }

  /** Finds out first which conditions the store knows, as all do who write under them. */
  @Override
  protected ObjectStore openStore() throws IOException {
    ObjectStore opened = open(bucket(), settings());
    opened.supportsConditionalWrites("contract/");
    return opened;
  }

  private static final String[] WITHOUT_CONDITIONS = {"garage", "gcs", "b2"};

  /** These keep keys as files: what is under an object's key is not listed, or takes its place. */
  private static final Set<String> KEYS_ARE_FILES = Set.of("minio", "versitygw", "seaweedfs");

  private void assumeNot(String why, String... servers) {
    assumeThat(server()).as(why).isNotIn((Object[]) servers);
  }

  @Override
  @Test
  public void keysAreListedInUtf8Order() throws IOException {
    assumeThat(KEYS_ARE_FILES).doesNotContain(server());
    super.keysAreListedInUtf8Order();
  }

  @Override
  @Test
  public void aPrefixIsNotADirectory() throws IOException {
    assumeThat(KEYS_ARE_FILES).doesNotContain(server());
    super.aPrefixIsNotADirectory();
  }

  /** versitygw's back end is a directory tree: it refuses a key under an object's key, by 409. */
  @Override
  @Test
  public void aKeyThatIsAPrefixOfAnotherIsAnObjectOfItsOwn() throws IOException {
    assumeNot("the object becomes a directory and is gone", "seaweedfs");
    if (server().equals("versitygw")) {
      put("a", content(1));
      assertFails(StoreException.Kind.PARENT_IS_OBJECT, () -> put("a/b", content(2)));
      return;
    }
    super.aKeyThatIsAPrefixOfAnotherIsAnObjectOfItsOwn();
  }

  @Override
  @Test
  public void everyLegalKeyIsKeptAsItIs() throws IOException {
    assumeNot("makes a slash of a backslash", "seaweedfs");
    super.everyLegalKeyIsKeptAsItIs();
  }

  @Override
  @Test
  public void theLastPartOfEachNumberIsListed() throws IOException {
    assumeNot("lists a replaced part, too", "seaweedfs");
    super.theLastPartOfEachNumberIsListed();
  }

  @Override
  @Test
  public void deleteIfMatchDeletesOnlyThatObject() throws IOException {
    assumeThat(server()).as("deletes all the same").doesNotStartWith("ceph");
    assumeNot("deletes all the same", "minio", "garage", "gcs", "b2");
    super.deleteIfMatchDeletesOnlyThatObject();
  }

  @Override
  @Test
  public void aCopyIsEqualAndPinnedToItsSource() throws IOException {
    assumeNot("copies all the same", "ceph16");
    super.aCopyIsEqualAndPinnedToItsSource();
  }

  @Override
  @Test
  public void completeIfAbsentFailsAndKeepsTheUploadWhenThereIsAnObject() throws IOException {
    assumeNot(NO_CONDITIONS, WITHOUT_CONDITIONS);
    store.supportsConditionalWrites(
        prefix); // finds out whether the store ignores that of a Complete
    super.completeIfAbsentFailsAndKeepsTheUploadWhenThereIsAnObject();
  }

  @Override
  @Test
  public void aPartThatIsNotTheLastNeeds5Mib() throws IOException {
    assumeNot("takes parts of any size", "garage");
    super.aPartThatIsNotTheLastNeeds5Mib();
  }

  @Override
  @Test
  public void conditionalWritesAreSupported() throws IOException {
    if (List.of(WITHOUT_CONDITIONS).contains(server())) {
      assertThat(store.supportsConditionalWrites("key")).isFalse();
      return;
    }
    super.conditionalWritesAreSupported();
  }

  @Override
  @Test
  public void putIfAbsentWritesOnce() throws IOException {
    assumeNot(NO_CONDITIONS, WITHOUT_CONDITIONS);
    super.putIfAbsentWritesOnce();
  }

  @Override
  @Test
  public void ofManyPutsIfAbsentExactlyOneWins() throws Exception {
    assumeNot(NO_CONDITIONS, WITHOUT_CONDITIONS);
    super.ofManyPutsIfAbsentExactlyOneWins();
  }

  @Override
  @Test
  public void putIfMatchReplacesOnlyThatObject() throws IOException {
    assumeNot(NO_CONDITIONS, WITHOUT_CONDITIONS);
    super.putIfMatchReplacesOnlyThatObject();
  }

  @Override
  @Test
  public void theMarkOfAConditionalPutComesBack() throws IOException {
    assumeNot(NO_CONDITIONS, WITHOUT_CONDITIONS);
    super.theMarkOfAConditionalPutComesBack();
  }

  @Override
  @Test
  public void aPlainPutLeavesNoMarkAndACopyKeepsThatOfItsSource() throws IOException {
    assumeNot(NO_CONDITIONS, "gcs", "b2");
    super.aPlainPutLeavesNoMarkAndACopyKeepsThatOfItsSource();
  }

  @Override
  @Test
  public void theMarkOfAnUploadIsItsObjects() throws IOException {
    assumeNot(REFUSES_CONDITIONS, "b2");
    super.theMarkOfAnUploadIsItsObjects();
  }

  @Override
  @Test
  public void theMetadataOfAnUploadIsItsObjects() throws IOException {
    assumeNot(REFUSES_CONDITIONS, "b2");
    super.theMetadataOfAnUploadIsItsObjects();
  }

  @Override
  @Test
  public void theStoreKeepsWhatAWriterSaysOfAnObjectAndOfItsCopies() throws IOException {
    assumeNot(REFUSES_CONDITIONS, "b2");
    super.theStoreKeepsWhatAWriterSaysOfAnObjectAndOfItsCopies();
  }

  @Override
  @Test
  public void aRangeOfAnObjectBecomesAPart() throws IOException {
    assumeNot(COPIES_NO_PARTS, "gcs");
    super.aRangeOfAnObjectBecomesAPart();
  }

  @Override
  @Test
  public void aRangePastTheEndOfItsSourceBecomesNoPart() throws IOException {
    assumeNot(COPIES_NO_PARTS, "gcs");
    super.aRangePastTheEndOfItsSourceBecomesNoPart();
  }

  /**
   * Each attempt reads the body twice: for the signature or the checksum, and to send it. A body
   * that has changed in between is as one that was damaged on its way.
   */
  @Test
  void aBodyThatDoesNotFitItsSignatureIsRefused() throws IOException {
    assumeNot("calls it a wrong digest", "garage");
    AtomicInteger opened = new AtomicInteger();
    Body changing =
        new Body() {
          @Override
          public long sizeBytes() {
            return 1 << 20;
          }

          @Override
          public InputStream open() {
            byte[] bytes = new byte[1 << 20];
            bytes[1000] = (byte) opened.getAndIncrement();
            return new ByteArrayInputStream(bytes);
          }
        };
    put("other", content(1)); // the first body tells whether the store checks a CRC32C
    Upload upload = store.createUpload("large", Optional.empty());
    store.uploadPart(upload, 1, Body.ofBytes(content(1)));
    assertFails(
        StoreException.Kind.CONNECTION_LOST, () -> store.put("small", changing, Condition.NONE));
    assertFails(StoreException.Kind.CONNECTION_LOST, () -> store.uploadPart(upload, 2, changing));
    assertThat(opened).hasValue(4);
    assertFails(StoreException.Kind.NO_SUCH_KEY, () -> store.head("small"));
    assertThat(store.listParts(upload, Optional.empty()).parts()).hasSize(1);
  }

  @Test
  void anUploadWhosePartsCarryACrc32cIsCompletedByAnybody() throws IOException {
    Map<String, String> crc32c = new HashMap<>(settings());
    crc32c.put("penstock.checksum", "crc32c");
    byte[] first = new byte[(int) Part.MIN_SIZE_BYTES];
    List<Part> parts = new ArrayList<>();
    Upload upload;
    try (ObjectStore writer = open(bucket(), crc32c)) {
      upload = writer.createUpload("parts");
      parts.add(writer.uploadPart(upload, 1, Body.ofBytes(first)));
      parts.add(writer.uploadPart(upload, 2, Body.ofBytes(content(3))));
    }
    store.completeUpload(new PendingUpload(upload, parts), Condition.NONE);
    assertThat(store.head("parts").sizeBytes()).isEqualTo(first.length + content(3).length);
  }

  /**
   * Amazon S3's way. Of the servers here, only versitygw makes the checksum of a full object; it
   * asks for those of the parts.
   */
  @Test
  void aDeclaredUploadIsCompletedWithTheChecksumsOfItsParts() throws IOException {
    assumeThat(server()).isEqualTo("versitygw");
    S3Options options =
        S3Options.from(bucket(), Settings.of(settings()).forBucket(bucket()), name -> null);
    try (ObjectStore amazon = TestStores.shared().open(bucket(), TestStores.asAmazon(options))) {
      Upload upload = amazon.createUpload("declared");
      List<Part> parts =
          List.of(
              amazon.uploadPart(upload, 1, Body.ofBytes(new byte[(int) Part.MIN_SIZE_BYTES])),
              amazon.uploadPart(upload, 2, Body.ofBytes(content(3))));
      amazon.completeUpload(new PendingUpload(upload, parts), Condition.NONE);
      assertThat(amazon.head("declared").sizeBytes())
          .isEqualTo(Part.MIN_SIZE_BYTES + content(3).length);
    }
  }

  private Map<String, String> settings() {
    return RealStore.named()
        .map(RealStore::settings)
        .orElseGet(() -> onEmbedded(embedded.endpoint(), dialect()));
  }

  private String bucket() {
    return RealStore.named().map(RealStore::bucket).orElse("lake");
  }

  private String server() {
    return System.getProperty("penstock.test.server", dialect().name().toLowerCase(Locale.ROOT));
  }

  private static Map<String, String> onEmbedded(URI endpoint, Dialect dialect) {
    return Map.of(
        "penstock.upload.part.numbers",
        dialect == Dialect.R2 ? "uniform" : "auto",
        "penstock.endpoint",
        endpoint.toString(),
        "penstock.access.key",
        "any",
        "penstock.secret.key",
        "any-secret");
  }

  private static ObjectStore open(String bucket, Map<String, String> settings) {
    return TestStores.open(bucket, Settings.of(settings));
  }
}
