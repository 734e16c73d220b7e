/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.KeyLimits;
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
    DemandedConditions demanded) {
  private static final int MAX_KEYS = 1000;

  void delete(String key, Condition condition) throws IOException {
    if (!KeyLimits.canExist(key)) {
      return;
    }
    try {
      if (condition.etagToDelete().filter(Etags::isWeak).isPresent()) {
        reads.requireEtag(Operation.DELETE, key, condition.etagToDelete().get());
      }
      demanded.delete(
          isForced ->
              client.call(
                  Operation.DELETE,
                  key,
                  s3 -> s3.deleteObject(requests.delete(key, condition, isForced))));
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
    return asked.isEmpty() ? Map.of() : demanded.delete(isForced -> deleteAll(asked, isForced));
  }

  private Map<String, StoreException> deleteAll(Map<String, Condition> asked, boolean isForced)
      throws IOException {
    Map<String, StoreException> failed = send(asked, isForced);
    if (isForced) {
      failed.entrySet().removeIf(one -> isGone(asked, one));
      return failed;
    }
    // The policy decides about each key.
    Map<String, Condition> denied = new LinkedHashMap<>(asked);
    denied.keySet().removeIf(key -> !isDenied(failed.get(key)));
    if (!denied.isEmpty()) {
      Map<String, StoreException> again = deleteAll(denied, true);
      denied.keySet().removeIf(key -> isDenied(again.get(key)));
      if (!denied.isEmpty()) {
        demanded.deletionsNeedOne();
        failed.keySet().removeAll(denied.keySet());
        failed.putAll(again);
      }
    }
    return failed;
  }

  private static boolean isDenied(StoreException failure) {
    return failure != null && failure.kind() == Kind.ACCESS_DENIED;
  }

  /** Returns true if the condition that there is an object failed, though none was asked for. */
  private static boolean isGone(
      Map<String, Condition> asked, Map.Entry<String, StoreException> failed) {
    return failed.getValue().kind() == Kind.PRECONDITION_FAILED
        && Condition.NONE.equals(asked.get(failed.getKey()));
  }

  private Map<String, StoreException> send(Map<String, Condition> asked, boolean isForced)
      throws IOException {
    List<String> keys = List.copyOf(asked.keySet());
    return failed(
        keys,
        client.call(
            Operation.DELETE_ALL,
            keys.get(0),
            s3 -> s3.deleteObjects(requests.deleteAll(asked, isForced))));
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
