/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.parts.PartNumbering;

/**
 * In what a store differs from others. A caller that relies on a trait that a store lacks may lose
 * data.
 *
 * @param partNumbering the numbering that this store's uploads use for their parts
 * @param uploadsSurviveCuts whether requests that are cut off do not harm their upload. In such a
 *     store, when two attempts send the same part number at the same time, one of the two parts
 *     stays, even if the other attempt is cut off; and a Complete is carried out either fully or
 *     not at all. MinIO is not such a store: it may drop the part or the upload
 * @param listsAfterAnyName whether a listing may start after any name, whether an object has it or
 *     not, and misses no key behind it. MinIO is not such a store: where directories have names
 *     such as {@code a} and {@code a-b}, a listing that starts after a name in {@code a/} may end
 *     early, without a token
 * @param listsUploadsByPrefix whether {@link ObjectStore#listUploads} is known to accept any prefix
 *     of a key, and not only whole keys
 * @param comparesEtagsInBulk whether a bulk delete leaves an object that has not the ETag required
 *     for its key
 */
public record StoreTraits(
    PartNumbering partNumbering,
    boolean uploadsSurviveCuts,
    boolean listsAfterAnyName,
    boolean listsUploadsByPrefix,
    boolean comparesEtagsInBulk) {
  /** The traits of Amazon S3, and of a store in memory. */
  public static final StoreTraits AMAZON =
      new StoreTraits(PartNumbering.CONSECUTIVE, true, true, true, true);

  /** The traits of other stores, as far as they are known: none. */
  public static StoreTraits unknown(PartNumbering partNumbering) {
    return new StoreTraits(partNumbering, false, false, false, false);
  }
}
