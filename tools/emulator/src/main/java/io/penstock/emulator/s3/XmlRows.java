/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An XML request of S3, read as fields under the root and one repeated element of fields.
 *
 * @param fields text of the leaf elements under the root
 * @param rows text of the leaf elements under each repeated element
 */
record XmlRows(Map<String, String> fields, List<Map<String, String>> rows) {
  private static final int MAX_DEPTH = 8;

  static XmlRows parse(byte[] xml, String root, String row) throws S3Failure {
    try {
      XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
      // No DTD means no entities, so a request cannot read local files or expand entities without
      // limit.
      factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
      factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
      factory.setProperty(XMLInputFactory.IS_COALESCING, true);
      return read(factory.createXMLStreamReader(new ByteArrayInputStream(xml)), root, row);
    } catch (XMLStreamException e) {
      throw malformed();
    }
  }

  private static XmlRows read(XMLStreamReader in, String root, String row)
      throws XMLStreamException, S3Failure {
    Map<String, String> fields = new HashMap<>();
    List<Map<String, String>> rows = new ArrayList<>();
    Map<String, String> current = fields;
    StringBuilder text = new StringBuilder();
    int depth = 0;
    while (in.hasNext()) {
      int event = in.next();
      if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
        throw malformed();
      } else if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
        if (depth > MAX_DEPTH || (depth == 1 && !in.getLocalName().equals(root))) {
          throw malformed();
        }
        if (depth == 2 && in.getLocalName().equals(row)) {
          current = new HashMap<>();
          rows.add(current);
        }
        text.setLength(0);
      } else if (event == XMLStreamConstants.CHARACTERS) {
        text.append(in.getText());
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        if (depth == 2 && in.getLocalName().equals(row)) {
          current = fields;
        } else if (depth > 1) {
          current.put(in.getLocalName(), text.toString());
        }
        depth--;
      }
    }
    return new XmlRows(fields, rows);
  }

  static S3Failure malformed() {
    return new S3Failure(
        400,
        "MalformedXML",
        "The XML you provided was not well-formed or did not validate against our published"
            + " schema");
  }
}
