import Stores
import Testing

@Suite("A property list")
struct PropertyListTests {
    private typealias File = PropertyList

    @Test("is binary if it is new, and keeps the encoding in which it was found")
    func encoding() throws {
        let new = try File.file(["a": .bool(true)])
        #expect(try File(parsing: new).format == .binaryPropertyList)
        #expect(try File(parsing: new).values == ["a": .bool(true)])
        let texts = ["", "\u{FEFF}", "\n "].map { $0 + "<plist><dict/></plist>" }
        for text in texts {
            let file = try File(parsing: Array(text.utf8))
            #expect(file.format == .xmlPropertyList)
            let changed = try File(parsing: try file.replacing(["a": .integer(1)]))
            #expect(changed.format == .xmlPropertyList)
            #expect(changed["a"] == .integer(1))
            #expect(changed.keys == ["a"])
        }
    }

    @Test("in UTF-16 or of OpenStep is refused, and says so")
    func foreign() {
        let texts: [[UInt8]: String] = [
            [0xFE, 0xFF, 0, 0x3C]: "UTF-16", [0xFF, 0xFE, 0x3C, 0]: "UTF-16", [0, 0x3C, 0, 0x3F]: "UTF-16",
            [0x3C, 0, 0x3F, 0]: "UTF-16", Array("{ a = 1; }".utf8): "OpenStep",
            Array("\n(a, b)".utf8): "OpenStep", Array("// !$*UTF8*$!\n{}".utf8): "OpenStep",
            Array("/* a */ {}".utf8): "OpenStep", Array("\"a\"".utf8): "OpenStep",
        ]
        for (bytes, name) in texts {
            #expect(File.fault(parsing: bytes) == .malformed(.xmlPropertyList, .offset(0), .encoding(name)))
        }
    }

    @Test("of nothing, or of something else, is not one")
    func others() {
        for text in ["", " ", "bplis", "a = 1", "\0\0"] {
            #expect(File.fault(parsing: Array(text.utf8)) == .notTheFormat(.binaryPropertyList))
        }
        #expect(File.fault(parsing: Array("<map/>".utf8)) == .notTheFormat(.xmlPropertyList))
    }

    @Test("tells its limits")
    func limits() {
        let limits = StoreLimits(maxBytes: 10)
        let text = "<plist><dict/></plist>"
        #expect(File.fault(parsing: Array(text.utf8), limits: limits) == .tooLarge(bytes: 22, limit: 10))
    }
}
