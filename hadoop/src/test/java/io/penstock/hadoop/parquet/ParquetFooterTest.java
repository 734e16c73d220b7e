/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.parquet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ParquetFooterTest {
  @Test
  void aFooterTellsWhereTheColumnsAre() {
    byte[] file = Footer.file(2, 3, 100);

    var groups = Footer.rowGroups(file, file.length).orElseThrow();

    assertThat(groups).hasSize(2);
    assertThat(groups.get(0).columns())
        .containsExactly(new ByteRange(4, 104), new ByteRange(104, 204), new ByteRange(204, 304));
    assertThat(groups.get(1).extent()).isEqualTo(new ByteRange(304, 604));
    assertThat(groups.get(1).middle()).isEqualTo(454);
  }

  @Test
  void aColumnWithoutADictionaryBeginsWithItsData() {
    byte[] file = Footer.file(1, 20, 10);

    var groups = Footer.rowGroups(file, file.length).orElseThrow();

    assertThat(groups.get(0).columns()).hasSize(20).startsWith(new ByteRange(4, 14));
  }

  @Test
  void theLastBytesAreEnoughIfTheyContainTheFooter() {
    byte[] file = Footer.file(2, 3, 100);
    int footer = file.length - 604;

    assertThat(Footer.rowGroups(file, footer)).isPresent();
    assertThat(Footer.rowGroups(file, footer - 1)).isEmpty();
    assertThat(Footer.rowGroups(file, 8)).isEmpty();
    assertThat(Footer.rowGroups(file, 3)).isEmpty();
  }

  @Test
  void otherFilesHaveNoRowGroups() {
    byte[] encrypted = Footer.file(1, 1, 100);
    encrypted[encrypted.length - 1] = 'E';
    assertThat(Footer.rowGroups(encrypted, encrypted.length)).isEmpty();
    assertThat(Footer.rowGroups("id,name\n1,one\n".getBytes(ISO_8859_1), 100)).isEmpty();
    assertThat(Footer.rowGroups("aaaa\7\0\0\0PAR1".getBytes(ISO_8859_1), 100)).isEmpty();
    assertThat(Footer.rowGroups("\0\0\0\0\377\377\377\377PAR1".getBytes(ISO_8859_1), 100))
        .isEmpty();
  }

  @Test
  void noDamageToAFooterFails() {
    byte[] good = Footer.file(3, 40, 1000);
    int dataEnd = 4 + 3 * 40 * 1000;
    for (int seed = 0; seed < 20_000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      byte[] bad = good.clone();
      for (int i = 0; i <= dice.nextInt(4); i++) {
        bad[dice.nextInt(dataEnd, bad.length)] = (byte) dice.nextInt(256);
      }
      // What is found is inside the file, whatever the footer says.
      for (RowGroup group : Footer.rowGroups(bad, bad.length).orElse(List.of())) {
        assertThat(group.extent().end()).as("seed %d", seed).isLessThanOrEqualTo(bad.length);
      }
    }
  }

  @Test
  void aFooterThatIsDeepDoesNotFillTheStack() {
    byte[] deep = new byte[1 << 20];
    Arrays.fill(deep, (byte) 0x1c); // a struct in a struct in a struct
    byte[] trailer = {(byte) 0xf8, (byte) 0xff, 0x0f, 0, 'P', 'A', 'R', '1'};
    System.arraycopy(trailer, 0, deep, deep.length - 8, 8);

    assertThat(Footer.rowGroups(deep, deep.length)).isEmpty();
  }
}
