import Documents
import Foundation
import Testing

/// The public suites of JMESPath and of its community edition, and drawn expressions: see
/// `Compliance/README.md`.
@Suite struct ComplianceTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Compliance")

    static let files = ["jmespath", "community", "drawn"].flatMap { suite in
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: suite).path(percentEncoded: false)
        )
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map { "\(suite)/\($0)" }
    }

    /// In a raw string, JMESPath escapes nothing but a quote, where its community edition escapes a backslash
    /// as well.
    private static let differences = [#"'\\'"#: "community/literal.json"]

    @Test(arguments: files)
    func `Each case has its value or its kind of error`(file: String) throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: file)))
        let groups = try #require(JSONValue(try JSON(parsing: bytes)).elements)
        #expect(!groups.isEmpty)
        for group in groups {
            let given = try JSON(parsing: try #require(group["given"]).bytes)
            for test in try #require(group["cases"]?.elements) {
                let text = try #require(test["expression"]?.text)
                guard Self.differences[text] != file else { continue }
                let outcome = outcome(of: text, on: given)
                if let result = test["result"] {
                    let isEqual = isSame(try outcome.get(), result)
                    #expect(isEqual, "\(text): \(outcome), not \(result)")
                } else if let error = test["error"]?.text {
                    #expect(throws: ExpressionError.self, "\(text)") { try outcome.get() }
                    if case .failure(let found) = outcome { #expect(found.kind.rawValue == error, "\(text)") }
                } else {
                    #expect(test["bench"] != nil)
                    _ = try outcome.get()
                }
            }
        }
    }

    private func outcome(of text: String, on given: JSON) -> Result<JSONValue, ExpressionError> {
        Result { () throws(ExpressionError) in
            try JSONExpression(parsing: text).evaluate(given).value
        }
    }

    /// Numbers are compared as doubles, because the suites have the results of divisions as such.
    private func isSame(_ value: JSONValue, _ other: JSONValue) -> Bool {
        switch (value, other) {
        case (.number(let a), .number(let b)): Double(a) == Double(b)
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
        case (.object(let a), .object(let b)):
            a.count == b.count
                && a.allSatisfy { member in
                    b.contains { $0.key == member.key && isSame(member.value, $0.value) }
                }
        default: value == other
        }
    }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == Array(key.utf8) }?.value
    }

    fileprivate var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    fileprivate var text: String? {
        guard case .string(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
