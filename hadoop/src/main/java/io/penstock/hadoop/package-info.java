/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The file system and the committers. Only this package maps Hadoop's types and exceptions. */
package io.penstock.hadoop;
