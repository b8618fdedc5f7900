"""Reads and writes preferences files with xml.etree. Lines are fields between tabs, texts in Base64."""

import base64
import hashlib
import json
import struct
import sys
import xml.etree.ElementTree as ET


def encoded(text):
    return base64.b64encode((text or "").encode()).decode()


def decoded(text):
    return base64.b64decode(text).decode()


def read(file):
    for element in ET.fromstring(file):
        fields = [element.tag, encoded(element.get("name"))]
        value = element.get("value")
        if element.tag == "string":
            fields.append(encoded(element.text))
        elif element.tag == "float":
            fields.append(str(struct.unpack(">i", struct.pack(">f", float(value)))[0]))
        elif element.tag == "set":
            fields += [encoded(child.text) for child in element]
        elif element.tag != "null":
            fields.append(value)
        print("\t".join(fields))


def write(lines):
    root = ET.Element("map")
    for line in lines.decode().splitlines():
        tag, name, *values = line.split("\t")
        element = ET.SubElement(root, tag, name=decoded(name))
        if tag == "string":
            element.text = decoded(values[0])
        elif tag == "float":
            number = struct.unpack(">f", struct.pack(">i", int(values[0])))[0]
            element.set("value", str(number).replace("inf", "Infinity"))
        elif tag == "set":
            for value in values:
                ET.SubElement(element, "string").text = decoded(value)
        elif tag != "null":
            element.set("value", values[0])
    sys.stdout.buffer.write(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def manifest(file):
    """A manifest to a line per key: the key, the name of its file, its value if it is not in the file."""
    for key, value in json.loads(file).items():
        name = hashlib.md5(key.encode()).hexdigest()
        print("\t".join([encoded(key), name] + ([] if value is None else [encoded(value)])))


{"read": read, "write": write, "manifest": manifest}[sys.argv[1]](sys.stdin.buffer.read())
