import Stores
import Testing

@Suite("A damaged XML property list")
struct XMLPropertyListFaultTests {
    private typealias File = XMLPropertyList

    private func fault(_ text: String, limits: StoreLimits = StoreLimits()) -> StoreFault? {
        File.fault(parsing: Array(text.utf8), limits: limits)
    }

    private func detail(_ text: String) -> StoreFault.Detail? {
        if case .malformed(.xmlPropertyList, _, let detail)? = fault(text) { detail } else { nil }
    }

    /// With one key.
    private func value(_ element: String) -> String { "<plist><dict><key>a</key>\(element)</dict></plist>" }

    private func read(_ element: String) throws -> StoreValue? {
        try File(parsing: Array(value(element).utf8))["a"]
    }

    private static let sample: [String: StoreValue] = [
        "a": .integer(300), "b": .array([.real(0.5), .date(1), .bool(true)]), "é": .string("🎉 & <"),
        "d": .data([1, 2, 3]), "nested": .dictionary(["a": .array([]), "x": .dictionary([:])]),
    ]

    @Test("is refused wherever it is cut")
    func cut() throws {
        let bytes = try File.file(Self.sample)
        for count in 0..<bytes.count - 1 {
            #expect(File.fault(parsing: Array(bytes[..<count])) != nil, "\(count)")
        }
    }

    @Test("is refused or read when a bit of any byte is flipped, and what is read can be written")
    func flips() throws {
        let bytes = try File.file(Self.sample)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                guard let file = try? File(parsing: damaged) else { continue }
                #expect(try file.replacing([:]) == damaged)
                let added = try File(parsing: try file.replacing(["new": .bool(true)]))
                #expect(added.values == file.values.merging(["new": .bool(true)]) { $1 }, "\(index), \(bit)")
            }
        }
    }

    @Test("expands no entity and fetches none")
    func entities() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <plist><dict><key>a</key><string>&b;</string></dict></plist>
            """
        #expect(detail(bomb) == .entity("a"))
        let external = """
            <!DOCTYPE plist [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
            <plist><dict><key>a</key><string>&secret;</string></dict></plist>
            """
        #expect(detail(external) == .entity("secret"))
        let parameter = #"<!DOCTYPE plist [<!ENTITY % all SYSTEM "http://127.0.0.1/x.dtd"> %all;]><plist/>"#
        #expect(detail(parameter) == .entity("all"))
        #expect(detail("<!DOCTYPE plist []><plist/>") == .documentType)
        #expect(detail(value("<string>&undeclared;</string>")) == .entity("undeclared"))
    }

    @Test("has Apple's document type or none")
    func documentTypes() throws {
        let file = "http://www.apple.com/DTDs/PropertyList-1.0.dtd"
        let known = [
            "", "<!DOCTYPE plist>", #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "\#(file)">"#,
            #"<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "https://x">"#,
            #"<!DOCTYPE plist SYSTEM "file://localhost/System/Library/DTDs/PropertyList.dtd">"#,
        ]
        for type in known { #expect(fault(type + value("<true/>")) == nil, "\(type)") }
        let others = [
            "<!DOCTYPE map>", #"<!DOCTYPE plist SYSTEM "file:///etc/passwd">"#,
            #"<!DOCTYPE plist PUBLIC "-//GNUstep//DTD plist 0.9//EN" "x">"#,
        ]
        for type in others { #expect(detail(type + value("<true/>")) == .documentType, "\(type)") }
    }

    @Test("that is another document is told from a damaged one")
    func others() {
        #expect(fault("<map><int name=\"a\" value=\"1\"/></map>") == .notTheFormat(.xmlPropertyList))
        #expect(detail("<plist version=\"2.0\"><dict/></plist>") == .version("2.0"))
        #expect(detail("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist/>") == .encoding("UTF-16"))
    }

    @Test(
        "that is a list or a text has no keys",
        arguments: ["<array/>": .array, "<string/>": .string, "<true/>": .bool] as [String: StoreType]
    )
    func notKeyed(_ element: String, _ type: StoreType) {
        #expect(fault("<plist>\(element)</plist>") == .notKeyed(.xmlPropertyList, found: type))
    }

    @Test("has one dictionary, of keys with values")
    func structure() {
        #expect(detail("<plist/>") == .expected("a value"))
        #expect(detail("<plist><dict/><dict/></plist>") == .expected("`</plist>`"))
        #expect(detail("<plist><dict><true/></dict></plist>") == .expected("`<key>`"))
        #expect(detail("<plist><dict><key>a</key></dict></plist>") == .expected("a value"))
        #expect(detail(value("<key>b</key>")) == .expected("a value"))
        #expect(detail(value("<true/>text")) == .expected("an element"))
        #expect(detail(value("<array>text</array>")) == .expected("an element"))
        #expect(detail(value("<ustring/>")) == .unknownElement("ustring"))
        #expect(detail(value("<string>a<b/></string>")) == .expected("text"))
        #expect(fault(value("<true/><key>a</key><true/>")) == .duplicateKey(.xmlPropertyList, "a"))
        let inner = "<dict><key>b</key><true/><key>b</key><true/></dict>"
        #expect(fault(value(inner)) == .duplicateKey(.xmlPropertyList, "b"))
    }

    @Test("names the line and the column")
    func place() {
        let text = "<plist>\n<dict>\n  <key>é</key> <integer>x</integer>\n</dict>\n</plist>"
        #expect(fault(text) == .malformed(.xmlPropertyList, .line(3, column: 16), .notA(.integer)))
    }

    @Test("has integers of 64 bits")
    func integers() throws {
        #expect(try read("<integer>+7</integer>") == .integer(7))
        #expect(try read("<integer>\n-0x8000000000000000 </integer>") == .integer(.min))
        #expect(try read("<integer>0XfF</integer>") == .integer(255))
        #expect(try read("<integer>18446744073709551615</integer>") == .unsigned(.max))
        let wrong = [
            "", "-", "+", "0x", "--1", "+-1", "0x-1", "1.0", "1 2", "0b1", "18446744073709551616",
            "-9223372036854775809", "٣",
        ]
        for text in wrong {
            #expect(detail(value("<integer>\(text)</integer>")) == .notA(.integer), "\(text)")
        }
    }

    @Test("has reals in decimal form, or by name")
    func reals() throws {
        let numbers: [String: Double] = [
            "1": 1, "-0": -0.0, " 1.5e-3\n": 0.0015, "+2.": 2, ".5": 0.5, "1E5": 100_000, "nan": .nan,
            "+infinity": .infinity, "-inf": -.infinity, "Infinity": .infinity,
        ]
        for (text, number) in numbers {
            #expect(try read("<real>\(text)</real>") == .real(number), "\(text)")
        }
        let wrong = ["", ".", "e5", "0x1p3", "1,5", "nan(1)", "1e", "--1", "infinite"]
        for text in wrong { #expect(detail(value("<real>\(text)</real>")) == .notA(.real), "\(text)") }
    }

    @Test("has dates in UTC, which exist")
    func dates() throws {
        #expect(try read("<date> 2001-01-01T00:00:01Z </date>") == .date(1))
        #expect(try read("<date>1970-01-01T00:00:00Z</date>") == .date(-978_307_200))
        let wrong = [
            "", "2026-01-18", "2026-01-18T14:30:00", "2026-02-29T00:00:00Z", "2026-01-18T24:00:00Z",
            "2026-01-18T14:60:00Z", "2026-01-18T14:30:61Z", "2026-01-18T14:30:00.5Z", "2026-1-18T14:30:00Z",
            "2026-01-18T14:30:00+01:00",
        ]
        for text in wrong { #expect(detail(value("<date>\(text)</date>")) == .notA(.date), "\(text)") }
    }

    @Test("has data in complete groups of Base64")
    func data() throws {
        let texts: [String: [UInt8]] = [
            "": [], "AA==": [0], " A Q\nI= ": [1, 2], "AQID": [1, 2, 3], "+/+/": [0xFB, 0xFF, 0xBF],
        ]
        for (text, bytes) in texts { #expect(try read("<data>\(text)</data>") == .data(bytes), "\(text)") }
        let wrong = [
            "A", "AA", "AAA", "AA=", "A===", "====", "AA==AA==", "AA=A", "=AAA", "AA==\u{3D}", "A-A_",
        ]
        for text in wrong { #expect(detail(value("<data>\(text)</data>")) == .notA(.data), "\(text)") }
    }

    @Test("keeps line ends as the platform does, unlike other XML")
    func lineEnds() throws {
        #expect(try read("<string>a\r\nb\rc&#13;</string>") == .string("a\r\nb\rc\r"))
        #expect(try read("<string><![CDATA[a\r\nb]]></string>") == .string("a\r\nb"))
    }

    @Test("has nothing within true and false")
    func bools() throws {
        #expect(try read("<true> </true>") == .bool(true))
        #expect(detail(value("<false>no</false>")) == .notA(.bool))
    }

    @Test("is limited in size, in levels and in values")
    func limits() {
        let text = value("<array><array><true/></array></array>")
        let size = text.utf8.count
        #expect(
            fault(text, limits: StoreLimits(maxBytes: size - 1)) == .tooLarge(bytes: size, limit: size - 1)
        )
        #expect(fault(text, limits: StoreLimits(maxDepth: 3)) == nil)
        #expect(fault(text, limits: StoreLimits(maxDepth: 2)) == .tooDeep(limit: 2))
        #expect(fault(text, limits: StoreLimits(maxDepth: 3, maxValues: 3)) == nil)
        #expect(fault(text, limits: StoreLimits(maxValues: 2)) == .tooManyValues(limit: 2))
        let deep = String(repeating: "<array>", count: 100_000)
        #expect(fault(value(deep)) == .tooDeep(limit: 512))
    }
}
