import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamWriter;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Reads and writes preferences files with Java's own parsers. Lines are fields between tabs, texts in Base64. */
public class Preferences {
    public static void main(String[] arguments) throws Exception {
        byte[] input = System.in.readAllBytes();
        switch (arguments[0]) {
            case "read": read(input); break;
            case "write": write(new String(input, StandardCharsets.UTF_8)); break;
            case "numbers": numbers(new String(input, StandardCharsets.UTF_8)); break;
            case "lists": lists(new String(input, StandardCharsets.UTF_8)); break;
        }
    }

    /** A file to a line per entry: type, key, values. */
    static void read(byte[] file) throws Exception {
        Element map = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream(file)).getDocumentElement();
        if (!map.getTagName().equals("map")) throw new Exception(map.getTagName());
        StringBuilder lines = new StringBuilder();
        for (Node node = map.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (!(node instanceof Element)) continue;
            Element element = (Element) node;
            lines.append(element.getTagName()).append('\t').append(encoded(element.getAttribute("name")));
            String value = element.getAttribute("value");
            switch (element.getTagName()) {
                case "string": lines.append('\t').append(encoded(element.getTextContent())); break;
                case "int": lines.append('\t').append(Integer.parseInt(value)); break;
                case "long": lines.append('\t').append(Long.parseLong(value)); break;
                case "float":
                    lines.append('\t').append(Float.floatToRawIntBits(Float.parseFloat(value))); break;
                case "boolean": lines.append('\t').append(Boolean.parseBoolean(value)); break;
                case "set":
                    for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling())
                        if (child instanceof Element) lines.append('\t').append(encoded(child.getTextContent()));
                    break;
            }
            lines.append('\n');
        }
        System.out.print(lines);
    }

    /** The lines of `read` to a file. */
    static void write(String lines) throws Exception {
        StringWriter file = new StringWriter();
        XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(file);
        xml.writeStartDocument("utf-8", "1.0");
        xml.writeStartElement("map");
        for (String line : lines.split("\n")) {
            String[] fields = line.split("\t", -1);
            boolean isText = fields[0].equals("string") || fields[0].equals("set");
            xml.writeStartElement(fields[0]);
            xml.writeAttribute("name", decoded(fields[1]));
            if (fields[0].equals("float")) {
                xml.writeAttribute("value", Float.toString(Float.intBitsToFloat(Integer.parseInt(fields[2]))));
            } else if (fields[0].equals("string")) {
                xml.writeCharacters(decoded(fields[2]));
            } else if (fields[0].equals("set")) {
                for (int index = 2; index < fields.length; index++) {
                    xml.writeStartElement("string");
                    xml.writeCharacters(decoded(fields[index]));
                    xml.writeEndElement();
                }
            } else if (!fields[0].equals("null")) {
                xml.writeAttribute("value", fields[2]);
            }
            xml.writeEndElement();
        }
        xml.writeEndElement();
        xml.writeEndDocument();
        System.out.write(file.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    /** Lines of a double's bits and its text to those of Java: the bits of the text, the text of the bits. */
    static void numbers(String lines) {
        StringBuilder result = new StringBuilder(System.getProperty("java.specification.version")).append('\n');
        for (String line : lines.split("\n")) {
            String[] fields = line.split("\t");
            result.append(Double.doubleToRawLongBits(Double.parseDouble(fields[1]))).append('\t')
                .append(Double.longBitsToDouble(Long.parseLong(fields[0]))).append('\t')
                .append(Float.floatToRawIntBits(Float.parseFloat(fields[3]))).append('\t')
                .append(Float.intBitsToFloat(Integer.parseInt(fields[2]))).append('\n');
        }
        System.out.print(result);
    }

    /** Lines of texts to serialized lists, as Flutter's plugin keeps them. */
    static void lists(String lines) throws Exception {
        for (String line : lines.split("\n")) {
            List<String> list = new ArrayList<>();
            for (String field : line.split("\t")) list.add(field.isEmpty() ? "" : decoded(field).intern());
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(list);
            System.out.println(Base64.getEncoder().encodeToString(bytes.toByteArray()));
        }
    }

    static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static String decoded(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
