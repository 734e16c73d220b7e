/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The bytes of lines, names and JSON. */
package io.penstock.loggen.text;
