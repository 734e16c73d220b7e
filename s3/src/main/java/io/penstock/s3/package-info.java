/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Connects to S3 with the AWS SDK for Java. Only this module uses the SDK. */
package io.penstock.s3;
