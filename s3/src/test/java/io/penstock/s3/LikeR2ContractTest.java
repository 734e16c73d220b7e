/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.emulator.s3.Dialect;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** On the embedded server, as far as it can be like Cloudflare R2. */
@DisabledIfSystemProperty(named = "penstock.test.endpoint", matches = ".+")
class LikeR2ContractTest extends S3StoreContractTest {
  @Override
  protected Dialect dialect() {
    return Dialect.R2;
  }
}
