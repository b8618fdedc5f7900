import Testing

@testable import Stores

@Suite("An XML property list")
struct XMLPropertyListTests {
    private typealias File = XMLPropertyList

    @Test("keeps every type and its extremes")
    func types() throws {
        let values = PropertyListSamples.all
        let read = try File(parsing: try File.file(values))
        #expect(Set(read.keys) == Set(values.keys))
        for (key, value) in values { #expect(read[key] == value, "\(key)") }
    }

    @Test("keeps random documents", arguments: 0..<40)
    func random(_ seed: UInt64) throws {
        let values = PropertyListSamples.random(seed)
        #expect(try File(parsing: try File.file(values)).values == values)
    }

    @Test("tells keys apart that look the same")
    func canonicalEquivalence() throws { try PropertyListSamples.checkLookalikes(File.self) }

    private static let new = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>a</key>
        \t<dict>
        \t\t<key>b</key>
        \t\t<array>
        \t\t\t<true/>
        \t\t\t<array/>
        \t\t</array>
        \t\t<key>c</key>
        \t\t<data>
        \t\tAQID
        \t\t</data>
        \t</dict>
        \t<key>d</key>
        \t<date>2026-01-18T14:30:00Z</date>
        \t<key>r</key>
        \t<real>450.5</real>
        </dict>
        </plist>

        """

    @Test("is laid out as the platform does it")
    func form() throws {
        let values: [String: StoreValue] = [
            "a": .dictionary(["b": .array([.bool(true), .array([])]), "c": .data([1, 2, 3])]),
            "d": .date(790_439_400), "r": .real(450.5),
        ]
        #expect(String(decoding: try File.file(values), as: UTF8.self) == Self.new)
    }

    // MARK: - Changes

    /// Laid out by hand, with comments.
    private static let old = """
        <?xml version="1.0"?>
        <plist version="1.0"><!-- made by hand -->
          <dict>

            <key>a</key>   <string>x &#x26; y</string> <!-- of a -->
            <key>b</key><integer> 0x10 </integer>
            <!-- of c -->
            <key>c</key>
            <array><real>1e0</real>
            </array>
            <!-- the end -->
          </dict>
        </plist>
        """

    private func changed(_ changes: StoreChanges, in text: String = old) throws -> String {
        String(decoding: try File(parsing: Array(text.utf8)).replacing(changes), as: UTF8.self)
    }

    @Test("is read as it is laid out by hand")
    func layout() throws {
        let file = try File(parsing: Array(Self.old.utf8))
        #expect(file.keys == ["a", "b", "c"])
        #expect(file["a"] == .string("x & y"))
        #expect(file["b"] == .integer(16))
        #expect(file["c"] == .array([.real(1)]))
        #expect(try changed([:]) == Self.old)
        #expect(
            try changed(["b": .integer(16), "absent": nil]) == Self.old,
            "an equal value changes nothing"
        )
    }

    @Test("keeps all bytes but those of the value that changes")
    func change() throws {
        let expected = Self.old.replacing("<integer> 0x10 </integer>", "<real>0.5</real>")
        #expect(try changed(["b": .real(0.5)]) == expected)
    }

    @Test("loses the line of a key that is removed, and no comment")
    func removal() throws {
        let expected = Self.old.replacing("\n    <key>b</key><integer> 0x10 </integer>", "")
        #expect(try changed(["b": nil]) == expected)
        let last = Self.old.replacing("\n    <key>c</key>\n    <array><real>1e0</real>\n    </array>", "")
        #expect(try changed(["c": nil]) == last)
    }

    @Test("has new keys in front of its end, indented as the others")
    func addition() throws {
        let added = """
            <!-- the end -->
                <key>d</key>   <array>
                  <bool/>
                </array>
                <key>e&amp;</key>   <string>&lt;</string>
            """
        let expected = Self.old.replacing("<!-- the end -->", added).replacing("<bool/>", "<true/>")
        #expect(try changed(["e&": .string("<"), "d": .array([.bool(true)])]) == expected)
    }

    @Test("without keys gets its first one in whatever form it is")
    func first() throws {
        let forms = [
            "<plist>\n<dict/>\n</plist>": "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>",
            "<plist>\r\n  <dict>\r\n  </dict>\r\n</plist>":
                "<plist>\r\n  <dict>\r\n  \t<key>a</key>\r\n  \t<true/>\r\n  </dict>\r\n</plist>",
            "<plist>\n<dict></dict>\n</plist>":
                "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>",
            "<plist><dict/></plist>": "<plist><dict><key>a</key><true/></dict></plist>",
            "<plist><dict id=\"1\" /></plist>": "<plist><dict id=\"1\" ><key>a</key><true/></dict></plist>",
        ]
        for (text, expected) in forms {
            let result = try changed(["a": .bool(true)], in: text)
            #expect(Array(result.utf8) == Array(expected.utf8))
        }
    }

    @Test("in one line stays in one line")
    func oneLine() throws {
        let text = "<plist><dict><key>a</key><true/></dict></plist>"
        let list = StoreValue.array([.data(Array(repeating: 0, count: 60)), .dictionary(["b": .bool(true)])])
        let result = try changed(["c": list], in: text)
        #expect(!result.contains("\n"))
        #expect(try File(parsing: Array(result.utf8)).values == ["a": .bool(true), "c": list])
        #expect(try changed(["c": nil], in: result) == text)
    }

    @Test("keeps its values whatever is changed", arguments: 0..<20)
    func anyChange(_ seed: UInt64) throws {
        var values = PropertyListSamples.random(seed)
        let file = try File(parsing: try File.file(values))
        var changes: StoreChanges = PropertyListSamples.random(seed + 1000).exact.mapValues { $0 }
        for key in values.keys.sorted().prefix(5) { changes[ExactText(key)] = .some(nil) }
        for (key, value) in changes { values[key.text] = value }
        #expect(try File(parsing: try file.replacing(changes)).values == values)
    }

    // MARK: - What XML cannot hold

    @Test("refuses what XML cannot hold", arguments: PropertyListSamples.binaryOnly.keys)
    func refused(_ name: String) throws {
        let value = try #require(PropertyListSamples.binaryOnly[name])
        // A date of -0 is one of 0.
        if name == "date -0" { return }
        let fault: StoreFault =
            switch value {
            case .array: .unrepresentable(.xmlPropertyList, key: "k", .date)
            case .string(let text):
                .forbiddenCharacter(
                    .xmlPropertyList,
                    key: "k",
                    try #require(text.unicodeScalars.first { !$0.isXML })
                )
            default: .unrepresentable(.xmlPropertyList, key: "k", value.type)
            }
        #expect(throws: fault) {
            try File().replacing(["k": value])
        }
    }

    @Test("refuses types that a property list does not have")
    func foreign() {
        for value in [StoreValue.int32(1), .float(1), .strings(["a"])] {
            #expect(throws: StoreFault.unrepresentable(.xmlPropertyList, key: "a", value.type)) {
                try File().replacing(["a": value])
            }
        }
        #expect(throws: StoreFault.forbiddenCharacter(.xmlPropertyList, key: "\0", "\0")) {
            try File().replacing(["\0": .bool(true)])
        }
    }

    @Test("is not written beyond its limits, because it could not be read again")
    func limits() throws {
        let bytes = try File().replacing([:])
        let flat = try File(parsing: bytes, limits: StoreLimits(maxDepth: 2))
        _ = try flat.replacing(["a": .array([])])
        #expect(throws: StoreFault.tooDeep(limit: 2)) { try flat.replacing(["a": .array([.array([])])]) }
        let small = try File(parsing: bytes, limits: StoreLimits(maxBytes: bytes.count + 50))
        #expect(throws: StoreFault.self) { try small.replacing(["a": .data(Array(repeating: 0, count: 60))]) }
        let few = try File(parsing: bytes, limits: StoreLimits(maxValues: 2))
        _ = try few.replacing(["a": .array([.bool(true)])])
        #expect(throws: StoreFault.tooManyValues(limit: 2)) {
            try few.replacing(["a": .array([.bool(true), .bool(true)])])
        }
    }
}

extension String {
    /// With its only occurrence of a part replaced.
    fileprivate func replacing(_ part: String, _ other: String) -> String {
        guard let range = firstRange(of: part) else { return self + " without \(part)" }
        return String(self[..<range.lowerBound]) + other + self[range.upperBound...]
    }
}
