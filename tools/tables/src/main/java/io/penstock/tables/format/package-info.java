/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Text formats of tables, for people and for programs. */
package io.penstock.tables.format;
