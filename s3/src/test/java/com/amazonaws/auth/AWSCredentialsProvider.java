/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package com.amazonaws.auth;

/** Stands in for the interface of the AWS SDK v1, which is not on the class path. */
public interface AWSCredentialsProvider {
  void refresh();
}
