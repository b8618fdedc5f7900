import Stores
import Testing

private func tokens(
    _ text: String,
    limits: StoreLimits = StoreLimits(),
    characters: MarkupCharacters = .xml
) throws(StoreFault) -> [MarkupToken] {
    var reader = try MarkupReader(
        Array(text.utf8),
        format: .sharedPreferences,
        limits: limits,
        characters: characters
    )
    var tokens: [MarkupToken] = []
    while let token = try reader.next() { tokens.append(token) }
    return tokens
}

/// What is wrong, and where.
private func fault(_ text: String, characters: MarkupCharacters = .xml) -> (StoreFault.Detail, StorePlace)? {
    do throws(StoreFault) {
        _ = try tokens(text, characters: characters)
    } catch .malformed(.sharedPreferences, let place, let detail) {
        return (detail, place)
    } catch {
        Issue.record(error)
    }
    return nil
}

private func text(_ xml: String, characters: MarkupCharacters = .xml) throws -> String {
    try tokens("<a>\(xml)</a>", characters: characters).map { token in
        if case .text(let text) = token.kind { text } else { "" }
    }.joined()
}

private func attribute(_ written: String) throws -> String? {
    for token in try tokens("<a b=\(written)/>") {
        if case .start(let element) = token.kind { return element["b"] }
    }
    return nil
}

@Suite("Reading markup")
struct MarkupReaderTests {
    @Test("gives every token with its bytes")
    func spans() throws {
        let xml = """
            <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
            <!-- one --><!DOCTYPE map PUBLIC "-//X//Y" 'http://x/y.dtd'><?p some?>
            <map><e a='1' b="2"/>t&amp;<![CDATA[<&]]></map >

            """
        let read = try tokens(xml)
        let bytes = Array(xml.utf8)
        #expect(
            read.map { String(decoding: bytes[$0.range], as: UTF8.self) } == [
                "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>", "<!-- one -->",
                "<!DOCTYPE map PUBLIC \"-//X//Y\" 'http://x/y.dtd'>", "<?p some?>", "<map>",
                "<e a='1' b=\"2\"/>", "", "t&amp;", "<![CDATA[<&]]>", "</map >",
            ]
        )
        #expect(read[2].kind == .documentType(try documentType("map", "-//X//Y", "http://x/y.dtd")))
        #expect(read[3].kind == .instruction(target: "p"))
        guard case .start(let element) = read[5].kind else {
            Issue.record("no element")
            return
        }
        #expect(element.attributes.map(\.name) == ["a", "b"])
        #expect(element.attributes.map(\.value) == ["1", "2"])
        #expect(element.isEmpty)
        #expect(read[6].kind == .end(name: "e"))
        #expect(read[7].kind == .text("t&"))
        #expect(read[8].kind == .text("<&"))
    }

    private func documentType(_ name: String, _ publicID: String, _ systemID: String) throws
        -> MarkupDocumentType
    {
        let xml = "<!DOCTYPE \(name) PUBLIC '\(publicID)' '\(systemID)'><a/>"
        guard case .documentType(let type)? = try tokens(xml).first?.kind else {
            throw StoreFault.notTheFormat(.xmlPropertyList)
        }
        #expect((type.name, type.publicID, type.systemID) == (name, publicID, systemID))
        return type
    }

    @Test("resolves the five entities and numeric references")
    func references() throws {
        #expect(try text("&lt;&gt;&amp;&apos;&quot;&#65;&#x1F600;&#x0a;") == "<>&'\"A\u{1F600}\n")
        #expect(try attribute("'&lt;&#10;&#9;'") == "<\n\t")
    }

    @Test("gives a line feed for every line end, and a space in an attribute")
    func lineEnds() throws {
        #expect(try text("a\r\nb\rc\nd\r\r\n\n&#13;") == "a\nb\nc\nd\n\n\n\r")
        #expect(try text("<![CDATA[a\r\nb\r]]>") == "a\nb\n")
        #expect(try attribute("'a\r\nb\tc\rd\n\n'") == "a b c d  ")
    }

    @Test("accepts a byte order mark, other scripts and names of any letters")
    func unicode() throws {
        #expect(try tokens("\u{FEFF}<?xml version=\"1.0\"?><日本 é='ü'/>").count == 3)
        #expect(try text("\u{1F600}\u{85}\u{7F}\u{FFFD}") == "\u{1F600}\u{85}\u{7F}\u{FFFD}")
    }

    @Test(
        "never expands an entity that a document declares",
        arguments: [
            "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
            "<!DOCTYPE a [\n <!ENTITY % e SYSTEM 'file:///x'>]><a/>",
            "<a>&e;</a>", "<a b='&e;'/>",
        ]
    )
    func entities(xml: String) {
        #expect(fault(xml)?.0 == .entity("e"))
    }

    @Test(
        "refuses what is not well-formed, and says where",
        arguments: [
            ("", .endOfFile, 1, 1), ("  \n ", .endOfFile, 2, 2), ("<a>", .endOfFile, 1, 4),
            ("<a><b></a></b>", .expected("</b>"), 1, 7), ("<a/><b/>", .expected("the end of the file"), 1, 5),
            ("<a/>x", .expected("the end of the file"), 1, 5), ("x<a/>", .expected("an element"), 1, 1),
            ("</a>", .expected("an element"), 1, 1), ("<a b='1' b='2'/>", .repeatedAttribute("b"), 1, 10),
            ("<a b='<'/>", .expected("`&lt;`"), 1, 7), ("<a b=1/>", .expected("a quote"), 1, 6),
            ("<a b/>", .expected("`=`"), 1, 5), ("<a b='1'c='2'/>", .expected("white space"), 1, 9),
            ("<é\r\n<", .expected("a name"), 2, 1), ("<a>é\n&amp</a>", .expected("`;`"), 2, 5),
            ("<a>]]></a>", .expected("`]]&gt;`"), 1, 4), ("<a><!-- -- --></a>", .expected("`>`"), 1, 11),
            ("<a>&#0;</a>", .character(0), 1, 4), ("<a>&#xFFFE;</a>", .character(0xFFFE), 1, 4),
            ("<a>&#xD800;</a>", .character(0xD800), 1, 4), ("<a>\u{1}</a>", .character(1), 1, 4),
            ("<a>&#x110000;</a>", .character(0x11_0000), 1, 4), ("<a>&#-1;</a>", .expected("a number"), 1, 6),
            ("<a>\u{FFFF}</a>", .character(0xFFFF), 1, 4), ("<a>& b</a>", .expected("a name"), 1, 5),
            ("<!DOCTYPE a [<!ELEMENT a ANY>]><a/>", .documentType, 1, 13),
            ("<?xml version='1.1'?><a/>", .version("1.1"), 1, 1),
            ("<?xml version='1.0' encoding='UTF-16'?><a/>", .encoding("UTF-16"), 1, 1),
            ("<a><?xml version='1.0'?></a>", .expected("an element"), 1, 9),
            (" <?xml version='1.0'?><a/>", .expected("an element"), 1, 7),
            ("<?xml encoding='utf-8'?><a/>", .expected("version, encoding and standalone"), 1, 1),
            ("<![CDATA[]]><a/>", .expected("an element"), 1, 1),
            ("<a/><!DOCTYPE a>", .expected("the end of the file"), 1, 5),
        ] as [(String, StoreFault.Detail, Int, Int)]
    )
    func faults(xml: String, detail: StoreFault.Detail, line: Int, column: Int) {
        let found = fault(xml)
        #expect(found?.0 == detail)
        #expect(found?.1 == .line(line, column: column))
    }

    @Test("refuses text that is not UTF-8")
    func encoding() {
        #expect(throws: StoreFault.malformed(.sharedPreferences, .line(2, column: 1), .notUTF8)) {
            _ = try MarkupReader(Array("<a>\n".utf8) + [0xFF], format: .sharedPreferences)
        }
    }

    @Test("reads references to control characters where Android writes them")
    func android() throws {
        #expect(try text("&#0;&#1;&#x1f;", characters: .android) == "\0\u{1}\u{1F}")
        #expect(fault("<a>\u{1}</a>", characters: .android)?.0 == .character(1))
    }

    @Test("keeps to its limits")
    func limits() throws {
        let nested = String(repeating: "<a>", count: 4) + String(repeating: "</a>", count: 4)
        #expect(try tokens(nested, limits: StoreLimits(maxDepth: 4)).count == 8)
        #expect(throws: StoreFault.tooDeep(limit: 3)) { try tokens(nested, limits: StoreLimits(maxDepth: 3)) }
        #expect(throws: StoreFault.tooLarge(bytes: 28, limit: 27)) {
            try tokens(nested, limits: StoreLimits(maxBytes: 27))
        }
    }

    @Test("gives the text of an element in one piece")
    func elementText() throws {
        let xml = "<a>x<!-- -->&amp;<![CDATA[<]]><?p?>y</a>"
        var reader = try MarkupReader(Array(xml.utf8), format: .xmlPropertyList)
        _ = try reader.next()
        #expect(try reader.elementText() == "x&<y")
        #expect(reader.offset == xml.utf8.count)
        #expect(try reader.next() == nil)
        var nesting = try MarkupReader(Array("<a>x<b/></a>".utf8), format: .xmlPropertyList)
        _ = try nesting.next()
        #expect(throws: StoreFault.malformed(.xmlPropertyList, .line(1, column: 5), .expected("text"))) {
            try nesting.elementText()
        }
    }

    @Test("finds a repeated attribute among thousands")
    func manyAttributes() throws {
        let many = (0..<5000).map { "a\($0)='' " }.joined()
        #expect(try tokens("<a \(many)/>").count == 2)
        #expect(fault("<a \(many) a4999=''/>")?.0 == .repeatedAttribute("a4999"))
        #expect(fault("<a \(many) a3=''/>")?.0 == .repeatedAttribute("a3"))
    }
}
