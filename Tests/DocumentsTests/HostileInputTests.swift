import Documents
import Testing

/// Documents designed to be slow: none may take more time than in proportion to its size.
@Suite("Hostile input")
struct HostileInputTests {
    private let large = 8 << 20

    @Test("8 MB of opening brackets are refused at the depth limit", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func deep(opening: String) throws {
        let bytes = Array(String(repeating: opening, count: large / opening.utf8.count).utf8)
        #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
        // Even without a limit nothing recurses.
        let unlimited = JSONLimits(maxBytes: large, maxDepth: .max)
        let fewer = Array(bytes.prefix(bytes.count / 8))
        #expect { try JSON(parsing: fewer, limits: unlimited) } throws: {
            guard case .unexpected(_, _, .end) = $0 as? JSONError else { return false }
            return true
        }
    }

    @Test("a document with 300,000 levels is compared and released")
    func deepAndWhole() throws {
        let levels = 300_000
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let limits = JSONLimits(maxBytes: large, maxDepth: levels)
        let one = try JSON(text, limits: limits)
        let other = try JSON(text + " ", limits: limits)
        #expect(one.isEqual(to: other))
    }

    @Test("512 levels are parsed, 513 are refused with their position")
    func depthLimit() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(try JSON(nested(512)).bytes.count == 1024)
        let place = JSONPosition(line: 1, column: 513, offset: 512)
        #expect(throws: JSONError.tooDeep(place, limit: 512)) { try JSON(nested(513)) }
    }

    @Test("repeated copies fail at the operation that exceeds the size limit")
    func copiedCopies() throws {
        let limits = JSONLimits(maxBytes: 1 << 16)
        let document = try JSON(#"{"a":[]}"#, limits: limits)
        let copies = (0..<40).map { #"{"op":"copy","from":"","path":"/x\#($0)"}"# }
        let patch = try JSONPatch(JSON("[\(copies.joined(separator: ","))]"))
        #expect {
            try patch.apply(to: document)
        } throws: {
            guard case .document(12, .json(.tooLarge)) = $0 as? PatchError else { return false }
            return true
        }
    }

    @Test("a value that is copied and removed again does not count")
    func copiedAndRemoved() throws {
        let limits = JSONLimits(maxBytes: 200)
        let text = #"{"a":["\#(String(repeating: "x", count: 80))"]}"#
        let round = #"{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/b"}"#
        let patch = try JSONPatch(JSON("[\(Array(repeating: round, count: 20).joined(separator: ","))]"))
        #expect(try patch.apply(to: JSON(text, limits: limits)).string == text)
    }

    @Test("one byte above the size limit is refused")
    func sizeLimit() throws {
        let limits = JSONLimits(maxBytes: 4)
        #expect(try JSON("[10]", limits: limits).bytes.count == 4)
        #expect(throws: JSONError.tooLarge(bytes: 5, limit: 4)) { try JSON("[100]", limits: limits) }
    }

    @Test("2 MB of one repeated key are parsed with a limited number of warnings")
    func sameKeys() throws {
        let count = ((2 << 20) - 2) / 6
        let text = "{" + Array(repeating: "\"a\":1", count: count).joined(separator: ",") + "}"
        let json = try JSON(text)
        #expect(json.warnings.count == JSON.mostWarnings)
        #expect(json.isEqual(to: json))
    }

    @Test("many different keys are parsed, and found in another order")
    func manyKeys() throws {
        let keys = (0..<50_000).map { "\"k\($0)\":\($0)" }
        let one = try JSON("{" + keys.joined(separator: ",") + "}")
        let other = try JSON("{" + keys.reversed().joined(separator: ",") + "}")
        #expect(one.warnings.isEmpty)
        #expect(one.isEqual(to: other))
    }

    @Test("long keys that differ only in the last byte are parsed")
    func longKeys() throws {
        let stem = String(repeating: "x", count: 10_000)
        let keys = (100..<700).map { "\"\(stem)\($0)\":0" }
        #expect(try JSON("{" + keys.joined(separator: ",") + "}").warnings.isEmpty)
    }
}
