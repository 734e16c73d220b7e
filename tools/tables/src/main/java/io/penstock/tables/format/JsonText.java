/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.Writer;
import java.util.HexFormat;

/**
 * Generates JSON that is safe inside a script element of an HTML page and on a terminal. The text
 * contains no {@code <} and no invisible characters.
 */
public final class JsonText {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder().characterEscapes(new Escapes()).build();

  private JsonText() {}

  /** Returns a generator that does not close the underlying writer. */
  public static JsonGenerator generator(Writer out) throws IOException {
    return FACTORY.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  }

  private static final class Escapes extends CharacterEscapes {
    private static final long serialVersionUID = 1;

    private final int[] ascii = standardAsciiEscapesForJSON();

    Escapes() {
      ascii['<'] = ESCAPE_STANDARD;
      ascii['>'] = ESCAPE_STANDARD;
      ascii['&'] = ESCAPE_STANDARD;
      ascii[0x7f] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ascii;
    }

    @Override
    public SerializableString getEscapeSequence(int c) {
      // The two halves of a surrogate pair arrive separately. Escaped separately, they are still
      // the same text.
      return Values.hasShape(c)
          ? null
          : new SerializedString("\\u" + HexFormat.of().toHexDigits((char) c));
    }
  }
}
