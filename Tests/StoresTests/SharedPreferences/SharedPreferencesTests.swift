import Stores
import TestWorld
import Testing

private func file(_ text: String) throws(StoreFault) -> SharedPreferences {
    try SharedPreferences(parsing: Array(text.utf8), limits: StoreLimits())
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// As the Android framework writes it.
private let android = """
    <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
    <map>
        <string name="month">Gennaio 2026</string>
        <long name="spent" value="4646632896004620288" />
        <int name="expenseCount" value="23" />
        <boolean name="hasError" value="false" />
        <float name="x" value="3.1415925" />
        <set name="s">
            <string>a</string>
            <string>&lt;b&gt;&#10;</string>
        </set>
        <null name="nothing" />
        <string name="empty"></string>
    </map>

    """

@Suite("Android preferences")
struct SharedPreferencesTests {
    /// Of every type, with the limits of each.
    static let values: [String: StoreValue] = [
        "text": .string("<a b=\"c\">&amp;'\n\t\r\r\n  </a>]]> \u{1F600}\u{85}"), "empty": .string(""),
        "int": .int32(.min), "long": .integer(.max), "float": .float(.leastNonzeroMagnitude),
        "large": .float(1.5e10), "infinite": .float(-.infinity), "yes": .bool(true), "no": .bool(false),
        "set": .strings(["", "a", " b "]), "none": .strings([]), "": .string("no name"),
        "k\n\t\"'<&>": .integer(-1), "ключ \u{1F511}": .int32(7),
    ]

    @Test("have the types that Android writes")
    func read() throws {
        let found = try file(android)
        #expect(found.keys == ["month", "spent", "expenseCount", "hasError", "x", "s", "nothing", "empty"])
        #expect(found["month"] == .string("Gennaio 2026"))
        #expect(found["spent"] == .integer(4_646_632_896_004_620_288))
        #expect(found["expenseCount"] == .int32(23))
        #expect(found["hasError"] == .bool(false))
        #expect(found["x"] == .float(3.1415925))
        #expect(found["s"] == .strings(["a", "<b>\n"]))
        #expect(found["nothing"] == nil)
        #expect(found["empty"] == .string(""))
        #expect(found["Month"] == nil)
    }

    @Test("are written as Android writes them, byte for byte")
    func write() throws {
        let found = try file(android)
        let entries = found.keys.filter { $0 != "nothing" }.map { ($0, found[$0]) }
        let written = try entries.reduce(SharedPreferences()) { file, entry in
            try SharedPreferences(
                parsing: file.replacing([ExactText(entry.0): entry.1]),
                limits: StoreLimits()
            )
        }
        #expect(
            text(try written.replacing([:])) == android.replacing("    <null name=\"nothing\" />\n", with: "")
        )
        let empty = "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map />\n"
        #expect(text(try SharedPreferences().replacing([:])) == empty)
        let set = try SharedPreferences().replacing(["s": .strings([]), "f": .float(1e7)])
        #expect(
            text(set).contains("\n    <float name=\"f\" value=\"1.0E7\" />\n    <set name=\"s\" />\n</map>\n")
        )
    }

    @Test("keep the bytes of every entry that is not changed")
    func splice() throws {
        let odd =
            "<?xml version=\"1.0\"?><!-- c --><map ><int value='1'\r\n name='a'/>"
            + "\t<string name=\"b\" ><![CDATA[x]]>"
            + "</string >\n\n  <null name='n'></null><boolean name='c' value='TRUE'/> </map>\n<!-- end -->"
        let found = try file(odd)
        #expect(found["c"] == .bool(true))
        #expect(text(try found.replacing([:])) == odd)
        let changed = text(
            try found.replacing(["b": .integer(2), "n": nil, "new": .bool(true), "absent": nil])
        )
        #expect(
            changed
                == odd
                .replacing(
                    "<string name=\"b\" ><![CDATA[x]]></string >",
                    with: "<long name=\"b\" value=\"2\" />"
                )
                .replacing("\n  <null name='n'></null>", with: "")
                .replacing("</map>", with: "\n    <boolean name=\"new\" value=\"true\" />\n</map>")
        )
        for tag in ["<map/>", "<map />", "<map></map>", "<map>\n</map>"] {
            let one = "<map>\n    <int name=\"k\" value=\"1\" />\n</map>"
            #expect(text(try file(tag).replacing(["k": .int32(1)])) == one)
            #expect(text(try file(one).replacing(["k": nil])) == "<map>\n</map>")
        }
    }

    @Test("are read back with every value and every key")
    func roundTrip() throws {
        let all = Self.values
        let written = try SharedPreferences().replacing(all.exact.mapValues { $0 })
        let found = try SharedPreferences(parsing: written, limits: StoreLimits())
        #expect(Set(found.keys) == Set(all.keys))
        for (key, value) in all { #expect(found[key] == value, "\(key)") }
        let emptied = try found.replacing(all.exact.mapValues { _ in nil })
        #expect(text(emptied) == "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n</map>\n")
    }

    @Test("refuse characters that XML does not allow, and a set with a string twice")
    func refused() throws {
        func fault(_ key: String, _ value: StoreValue) -> StoreFault? {
            do throws(StoreFault) { _ = try SharedPreferences().replacing([ExactText(key): value]) } catch {
                return error
            }
            return nil
        }
        func forbidden(_ scalar: Unicode.Scalar, _ key: String = "k") -> StoreFault {
            .forbiddenCharacter(.sharedPreferences, key: key, scalar)
        }
        #expect(fault("k", .string("a\u{1}")) == forbidden("\u{1}"))
        #expect(fault("k", .strings(["\u{FFFE}"])) == forbidden("\u{FFFE}"))
        #expect(fault("a\0", .bool(true)) == forbidden("\0", "a\0"))
        #expect(
            fault("k", .strings(["a", "b", "a"])) == .duplicateElement(.sharedPreferences, key: "k", "a")
        )
        #expect(fault("k", .strings(["\u{E9}", "e\u{301}"])) == nil)
        let what =
            "`k` has the character U+1, which a shared-preferences file cannot hold: XML does not allow it"
        #expect(fault("k", .string("\u{1}"))?.reason == what)
        // What Android's own serializer wrote of other keys stays.
        let found = try file("<map><string name='other'>&#1;</string></map>")
        #expect(found["other"] == .string("\u{1}"))
        #expect(text(try found.replacing(["k": .int32(1)])).contains("&#1;"))
    }

    @Test("tell keys apart that look the same")
    func canonicalEquivalence() throws {
        let found = try file("<map><int name='\u{E9}' value='1'/><int name='e\u{301}' value='2'/></map>")
        #expect(found["\u{E9}"] == .int32(1))
        #expect(found["e\u{301}"] == .int32(2))
        #expect(text(try found.replacing(["e\u{301}": nil])) == "<map><int name='\u{E9}' value='1'/></map>")
        // Both in one change.
        let both = try found.replacing(["\u{E9}": .int32(3), "e\u{301}": .int32(4)])
        #expect(try file(text(both))["\u{E9}"] == .int32(3) && file(text(both))["e\u{301}"] == .int32(4))
    }

    @Test("read a character beyond 16 bits as the two references that Android writes")
    func surrogates() throws {
        let found = try file("<map><string name='other'>a&#55357;&#56838;&#xD83D;&#xDE00;</string></map>")
        #expect(found["other"] == .string("a\u{1F606}\u{1F600}"))
        #expect(text(try found.replacing(["k": .int32(1)])).contains("a&#55357;&#56838;&#xD83D;&#xDE00;"))
        for half in ["&#55357;", "&#56838;", "&#55357;a", "&#56838;&#55357;", "&#55357;&#55357;"] {
            #expect(throws: StoreFault.self) { try file("<map><string name='k'>\(half)</string></map>") }
        }
    }

    @Test("keep a byte array, which no application writes by itself")
    func byteArray() throws {
        let element = "<byte-array name='other' num='3'>00ffA1</byte-array>"
        let found = try file("<map>\(element)</map>")
        #expect(found["other"] == .data([0, 0xFF, 0xA1]))
        #expect(text(try found.replacing(["k": .int32(1)])).contains(element))
        for wrong in ["num='2'>00ffA1", "num='1'>0", "num='1'>0x", ">00", "num='x'>00"] {
            #expect(throws: StoreFault.self) {
                try file("<map><byte-array name='k' \(wrong)</byte-array></map>")
            }
        }
    }

    @Test(
        "refuse types that they do not have",
        arguments: [
            StoreValue.real(1), .data([1]), .date(0), .array([]), .dictionary([:]), .uid(1), .unsigned(1),
        ]
    )
    func unrepresentable(value: StoreValue) {
        #expect(throws: StoreFault.unrepresentable(.sharedPreferences, key: "k", value.type)) {
            try SharedPreferences().replacing(["k": value])
        }
    }

    @Test(
        "say which entry cannot be read, and where",
        arguments: [
            ("<int name='k' value='2147483648'/>", StoreFault.Detail.notA(.int32), 6),
            ("<long name='k' value='9223372036854775808'/>", .notA(.integer), 6),
            ("<long name='k' value='1.0'/>", .notA(.integer), 6),
            ("<float name='k' value='x'/>", .notA(.float), 6),
            ("<boolean name='k' value='1'/>", .notA(.bool), 6), ("<int name='k'/>", .expected("a value"), 6),
            ("<double name='k' value='1.0'/>", .unknownElement("double"), 6),
            ("<map name='k'/>", .unknownElement("map"), 6),
            ("<set name='k'><int/></set>", .unknownElement("int"), 20),
            ("<set name='k'>x</set>", .expected("a string"), 20),
            ("<string name='k'>a<b/></string>", .expected("text"), 24),
            ("<int name='k' value='1'>2</int>", .expected("no text"), 30),
        ]
    )
    func valueFaults(entry: String, detail: StoreFault.Detail, column: Int) {
        let place = StorePlace.line(1, column: column)
        #expect(throws: StoreFault.malformedValue(.sharedPreferences, key: "k", place, detail)) {
            try file("<map>\(entry)</map>")
        }
    }

    @Test(
        "refuse files of another kind",
        arguments: [
            ("<string name='k'>x</string>", StoreFault.notKeyed(.sharedPreferences, found: .string)),
            ("<plist/>", .malformed(.sharedPreferences, .line(1, column: 1), .unknownElement("plist"))),
            ("", .malformed(.sharedPreferences, .line(1, column: 1), .endOfFile)),
            ("{}", .malformed(.sharedPreferences, .line(1, column: 1), .expected("an element"))),
            ("<map>x</map>", .malformed(.sharedPreferences, .line(1, column: 6), .expected("an element"))),
            (
                "<map><int value='1'/></map>",
                .malformed(.sharedPreferences, .line(1, column: 6), .expected("a name"))
            ),
            ("<map><int name='k' value='1'/><null name='k'/></map>", .duplicateKey(.sharedPreferences, "k")),
            ("<!DOCTYPE map><map/>", .malformed(.sharedPreferences, .line(1, column: 1), .documentType)),
            (
                "<!DOCTYPE map [<!ENTITY a '&b;&b;'><!ENTITY b 'x'>]><map><null name='&a;'/></map>",
                .malformed(.sharedPreferences, .line(1, column: 15), .entity("a"))
            ),
        ]
    )
    func fileFaults(xml: String, fault: StoreFault) {
        #expect(throws: fault) { try file(xml) }
    }

    @Test("take a name of a megabyte and twenty thousand entries")
    func size() throws {
        let name = String(repeating: "<\u{1F511}>", count: 150_000)
        var values: StoreChanges = [ExactText(name): .string(name)]
        for number in 0..<20_000 { values[ExactText("k\(number)")] = .some(.int32(Int32(number))) }
        let found = try SharedPreferences(
            parsing: SharedPreferences().replacing(values),
            limits: StoreLimits()
        )
        #expect(found.keys.count == 20_001)
        #expect(found[name] == .string(name))
        #expect(found["k19999"] == .int32(19_999))
    }

    @Test("keep to the limit of values")
    func limits() throws {
        let limits = StoreLimits(maxValues: 2)
        _ = try SharedPreferences(
            parsing: Array("<map><null name='a'/><null name='b'/></map>".utf8),
            limits: limits
        )
        #expect(throws: StoreFault.tooManyValues(limit: 2)) {
            try SharedPreferences(
                parsing: Array("<map><set name='a'><string/><string/></set></map>".utf8),
                limits: limits
            )
        }
    }

    @Test("end in a fault or a file, whatever is cut off or damaged")
    func damage() throws {
        let bytes = Array(android.utf8)
        for count in bytes.indices {
            let isWhole =
                (try? SharedPreferences(parsing: Array(bytes[..<count]), limits: StoreLimits())) != nil
            #expect(isWhole == (count >= bytes.count - 1), "\(count)")
        }
        for index in bytes.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= mask
                guard let found = try? SharedPreferences(parsing: damaged, limits: StoreLimits()) else {
                    continue
                }
                let written = try found.replacing(["new": .int32(1)])
                #expect(try SharedPreferences(parsing: written, limits: StoreLimits())["new"] == .int32(1))
            }
        }
    }
}

@Suite("Android preferences and other programs")
struct SharedPreferencesReaderTests {
    private static let programs: [OtherProgram] = OtherProgram.hasJava ? [.java, .python] : [.python]

    /// All but what their parsers normalize, which Android's does not.
    private let lines = Set(SharedPreferencesTests.values.map { line($0.key, $0.value) })

    @Test("agree on what we write", arguments: programs)
    func written(program: OtherProgram) async throws {
        let file = try SharedPreferences().replacing(SharedPreferencesTests.values.exact.mapValues { $0 })
        #expect(try await program.read(file) == lines)
    }

    @Test("agree on what they write", arguments: programs)
    func read(program: OtherProgram) async throws {
        // Their writers leave line ends in texts as they are, which then are line feeds.
        let values = SharedPreferencesTests.values.filter { $0.key != "text" && !$0.key.contains("\n") }
        let input = values.map { line($0.key, $0.value) }.joined(separator: "\n") + "\nnull\t\(field("null"))"
        let file = Array(try await program.run("write", input).utf8)
        let found = try SharedPreferences(parsing: file, limits: StoreLimits())
        #expect(Set(found.keys) == Set(values.keys).union(["null"]))
        for (key, value) in values { #expect(found[key] == value, "\(key)") }
    }
}
