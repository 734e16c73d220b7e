/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An access point of a bucket. Requests name it instead of the bucket. */
public record AccessPoint(String arn, String name, String account, String region) {
  private static final Pattern ARN =
      Pattern.compile(
          "arn:aws[a-z-]*:s3:([a-z0-9-]+):([0-9]{12}):accesspoint[:/]([a-z0-9][a-z0-9-]{1,48}[a-z0-9])");

  /**
   * @throws ConfigException when this is no ARN of an access point that Penstock serves
   */
  static AccessPoint of(String arn) {
    Matcher matcher = ARN.matcher(arn);
    if (matcher.matches()) {
      return new AccessPoint(arn, matcher.group(3), matcher.group(2), matcher.group(1));
    }
    String kind = "";
    if (arn.contains(":s3-object-lambda:")) {
      kind = " It is one of S3 Object Lambda, whose objects have no known length.";
    } else if (arn.contains(":s3-outposts:")) {
      kind = " It is one of S3 on Outposts, which Penstock does not know.";
    } else if (arn.endsWith(".mrap")) {
      kind = " It is a multi-region one, which needs signatures of version 4A.";
    }
    throw new ConfigException(
        "penstock.access.point=%s is not the ARN of an access point, arn:aws:s3:REGION:ACCOUNT:accesspoint/NAME.%s"
            .formatted(arn, kind));
  }

  /** Returns the host that requests go to, before the domain of an endpoint of its own. */
  public String label() {
    return name + "-" + account;
  }
}
