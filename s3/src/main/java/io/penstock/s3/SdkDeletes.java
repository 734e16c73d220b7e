/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.s3.answers.BucketFailures;
import io.penstock.s3.answers.NamedKeys;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.DeletedObject;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Deletes objects. Counts as deleted only what the store's answer says is deleted. */
record SdkDeletes(
    BucketFailures failures,
    SdkRequests requests,
    RegionalClient client,
    SdkReads reads,
    DemandedConditions demanded,
    boolean isAws) {
  private static final int MAX_KEYS = 1000;

  void delete(String key, Condition condition) throws IOException {
    if (!KeyLimits.canExist(key)) {
      return;
    }
    try {
      if (condition.etagToDelete().filter(Etags::isWeak).isPresent()) {
        reads.requireEtag(Operation.DELETE, key, condition.etagToDelete().get());
      }
      sendPermitted(key, condition);
    } catch (StoreException e) {
      // A store that does not know the header is one that ignores the condition.
      if (e.kind() == Kind.UNSUPPORTED && !condition.equals(Condition.NONE)) {
        delete(key, Condition.NONE);
        return;
      }
      // Some stores report an error if there was nothing to delete, or nothing can be there.
      if (e.kind() != Kind.NO_SUCH_KEY && !isGone(key, e)) {
        throw e;
      }
    }
  }

  /**
   * Sends a deletion in the form that the bucket's policy and the caller's rights permit. Amazon S3
   * compares an ETag only for those who may read the object; for others the object is deleted as on
   * a store that ignores the condition.
   */
  private void sendPermitted(String key, Condition condition) throws IOException {
    StoreException denied;
    boolean isForced = demanded.isOnDeletions();
    try {
      send(key, condition, isForced);
      return;
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      denied = e;
    }
    if (condition.etagToDelete().isPresent()) {
      try {
        sendPermitted(key, Condition.NONE);
      } catch (StoreException e) {
        throw DemandedConditions.theMoreTelling(denied, e);
      }
    } else {
      try {
        send(key, condition, !isForced);
      } catch (StoreException e) {
        throw DemandedConditions.theMoreTelling(denied, e);
      }
      if (!isForced) {
        demanded.deletionsNeedOne();
      }
    }
  }

  private void send(String key, Condition condition, boolean isForced) throws IOException {
    try {
      client.call(
          Operation.DELETE, key, s3 -> s3.deleteObject(requests.delete(key, condition, isForced)));
    } catch (StoreException e) {
      if (!isForced
          || e.kind() != Kind.PRECONDITION_FAILED
          || condition.etagToDelete().isPresent()) {
        throw e;
      }
      deleteThere(key, e);
    }
  }

  /**
   * Deletes what is at the key, though the store says that it does not meet the condition that any
   * object meets. Either there is none, or the store, as versitygw, knows ETags only.
   */
  private void deleteThere(String key, StoreException refusal) throws IOException {
    if (isAws) {
      return; // Amazon S3 documents that any object meets it.
    }
    Condition there;
    try {
      there = Condition.ifMatch(reads.head(key).etag());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return;
      }
      refusal.addSuppressed(e);
      throw refusal;
    }
    client.call(Operation.DELETE, key, s3 -> s3.deleteObject(requests.delete(key, there, true)));
  }

  /** Returns true if the condition failed because there is no object, as some stores report it. */
  private boolean isGone(String key, StoreException refusal) {
    if (refusal.kind() != Kind.PRECONDITION_FAILED) {
      return false;
    }
    try {
      reads.head(key);
      return false;
    } catch (IOException e) {
      refusal.addSuppressed(e);
      return e instanceof StoreException failure && failure.kind() == Kind.NO_SUCH_KEY;
    }
  }

  /** Deletes the keys in one request and returns those that are not deleted for certain. */
  Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw failures.invalid(Operation.DELETE_ALL, "", keys.size() + " keys; 1 to 1000 go.");
    }
    Map<String, Condition> asked = new LinkedHashMap<>(keys);
    asked.keySet().removeIf(key -> !KeyLimits.canExist(key));
    if (asked.isEmpty()) {
      return Map.of();
    }
    boolean isKnown = demanded.isOnDeletions();
    Map<String, StoreException> failed = send(asked, isKnown);
    // The policy, and the caller's rights, decide about each key; see sendPermitted.
    boolean hasEtags = denied(asked, failed).values().stream().anyMatch(SdkDeletes::hasEtag);
    for (boolean isForced : new boolean[] {false, true}) {
      Map<String, Condition> rest = denied(asked, failed);
      if (rest.isEmpty() || (isForced == isKnown && !hasEtags)) {
        continue;
      }
      Map<String, StoreException> again =
          send(Condition.noneFor(List.copyOf(rest.keySet())), isForced);
      rest.keySet().removeIf(key -> isDenied(again.get(key)));
      rest.keySet().forEach(failed::remove);
      rest.keySet().stream()
          .filter(again::containsKey)
          .forEach(key -> failed.put(key, again.get(key)));
      if (isForced && !rest.isEmpty()) {
        demanded.deletionsNeedOne();
      }
    }
    return failed;
  }

  private static Map<String, Condition> denied(
      Map<String, Condition> asked, Map<String, StoreException> failed) {
    Map<String, Condition> denied = new LinkedHashMap<>(asked);
    denied.keySet().removeIf(key -> !isDenied(failed.get(key)));
    return denied;
  }

  private static boolean isDenied(StoreException failure) {
    return failure != null && failure.kind() == Kind.ACCESS_DENIED;
  }

  private static boolean hasEtag(Condition condition) {
    return condition.etagToDelete().isPresent();
  }

  private Map<String, StoreException> send(Map<String, Condition> asked, boolean isForced)
      throws IOException {
    List<String> keys = List.copyOf(asked.keySet());
    Map<String, StoreException> failed =
        failed(
            keys,
            client.call(
                Operation.DELETE_ALL,
                keys.get(0),
                s3 -> s3.deleteObjects(requests.deleteAll(asked, isForced))));
    if (isForced) {
      for (String key : keys) {
        StoreException failure = failed.get(key);
        if (failure != null
            && failure.kind() == Kind.PRECONDITION_FAILED
            && !hasEtag(asked.get(key))) {
          failed.remove(key);
          deleteThere(key, failure, failed);
        }
      }
    }
    return failed;
  }

  private void deleteThere(String key, StoreException refusal, Map<String, StoreException> failed)
      throws IOException {
    try {
      deleteThere(key, refusal);
    } catch (StoreException e) {
      failed.put(key, e);
    }
  }

  /** Deletes the versions in one request and returns the keys for which this is not certain. */
  Map<String, StoreException> deleteVersions(Map<String, String> versions) throws IOException {
    if (versions.isEmpty() || versions.size() > MAX_KEYS) {
      throw failures.invalid(Operation.DELETE_ALL, "", versions.size() + " keys; 1 to 1000 go.");
    }
    Map<String, String> inXml = new LinkedHashMap<>(versions);
    inXml.keySet().removeIf(key -> !KeyLimits.fitsXml(key));
    List<String> keys = List.copyOf(inXml.keySet());
    Map<String, StoreException> failed =
        keys.isEmpty()
            ? new LinkedHashMap<>()
            : failed(
                keys,
                client.call(
                    Operation.DELETE_ALL,
                    keys.get(0),
                    s3 -> s3.deleteObjects(requests.deleteVersions(inXml))));
    for (Map.Entry<String, String> one : versions.entrySet()) {
      if (!inXml.containsKey(one.getKey())) {
        deleteVersion(one.getKey(), one.getValue(), failed);
      }
    }
    for (Map.Entry<String, StoreException> one : Map.copyOf(failed).entrySet()) {
      // versitygw reports an invalid argument if there is no such version.
      String key = one.getKey();
      if (one.getValue().kind() == Kind.INVALID_REQUEST && !isVersion(key, versions.get(key))) {
        failed.remove(key);
      }
    }
    return failed;
  }

  /** Deletes a version of a key that XML cannot carry. */
  private void deleteVersion(String key, String id, Map<String, StoreException> failed)
      throws IOException {
    try {
      client.call(Operation.DELETE, key, s3 -> s3.deleteObject(requests.deleteVersion(key, id)));
    } catch (StoreException e) {
      if (e.kind() != Kind.NO_SUCH_KEY) {
        failed.put(key, e);
      }
    }
  }

  private boolean isVersion(String key, String id) throws IOException {
    ListRequest request = ListRequest.level(key);
    while (true) {
      VersionsPage page = reads.listVersions(request);
      if (page.versions().stream()
          .anyMatch(version -> version.key().equals(key) && version.versionId().equals(id))) {
        return true;
      }
      if (page.nextToken().isEmpty()) {
        return false;
      }
      request = request.next(page.nextToken().get());
    }
  }

  private Map<String, StoreException> failed(List<String> keys, DeleteObjectsResponse answer) {
    NamedKeys unnamed = new NamedKeys(keys);
    answer.deleted().stream().map(DeletedObject::key).forEach(unnamed::named);
    Map<String, StoreException> failed = new LinkedHashMap<>();
    for (S3Error error : answer.errors()) {
      String key = unnamed.named(error.key());
      StoreException failure = client.failures().ofDeletion(error);
      if (failure.kind() != Kind.NO_SUCH_KEY) {
        failed.put(key, failure);
      }
    }
    for (String key : unnamed.rest()) {
      failed.put(key, unconfirmed(key, answer));
    }
    return failed;
  }

  private StoreException unconfirmed(String key, DeleteObjectsResponse answer) {
    boolean isEmpty = answer.deleted().isEmpty() && answer.errors().isEmpty();
    return StoreException.of(
        Kind.NOT_S3,
        Operation.DELETE_ALL,
        failures.object(key),
        isEmpty
            ? "the answer to the bulk delete names no key, so it is not known whether this key was"
                + " deleted."
            : "the answer to the bulk delete does not name the key, so it is not known whether the"
                + " key was deleted.");
  }
}
