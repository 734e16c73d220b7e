/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

/** The resolution of requests whose answers mean what they say. */
enum NoResolution implements Resolution<Object> {
  INSTANCE
}
