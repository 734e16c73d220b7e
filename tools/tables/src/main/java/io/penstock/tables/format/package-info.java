/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Tables as text, for people and for programs. */
package io.penstock.tables.format;
