/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ObjectStore;
import java.io.IOException;

/** Creates the store of a bucket. */
@FunctionalInterface
public interface StoreFactory {
  ObjectStore open(String bucket) throws IOException;
}
