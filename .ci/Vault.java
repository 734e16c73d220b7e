/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
import io.penstock.core.credentials.CredentialProvider;
import io.penstock.core.credentials.Credentials;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** A user's credential provider: it knows the keys from settings of its own. */
public final class Vault implements CredentialProvider {
  private final Configuration conf;

  public Vault(URI bucket, Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Credentials credentials() {
    return new Credentials(
        conf.get("vault.key"), conf.get("fs.s3a.vault.secret"), Optional.empty(), Optional.empty());
  }
}
