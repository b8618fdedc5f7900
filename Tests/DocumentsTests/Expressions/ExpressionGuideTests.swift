import Documents
import Foundation
import Testing

/// The tables of the guide whose first column is `expression`, and lines of blocks with an arrow, for
/// expressions with backticks.
@Suite struct ExpressionGuideTests {
    private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/WidgetBridge/WidgetBridge.docc/Expressions.md")

    private static func text() throws -> String { try String(contentsOf: guide, encoding: .utf8) }

    static func examples() throws -> [(expression: String, value: String)] {
        var isExample = false
        return try text().split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            if let arrow = line.range(of: "  →  ") {
                return (String(line[..<arrow.lowerBound]), String(line[arrow.upperBound...]))
            }
            let row = line.replacing("\\|", with: "\u{0}")
            let cells = row.split(separator: "|").map { code(String($0).replacing("\u{0}", with: "|")) }
            guard line.hasPrefix("| "), cells.count == 2 else {
                if line.isEmpty { isExample = false }
                return nil
            }
            if cells == ["expression", "value"] { isExample = true }
            return isExample && cells[0] != "expression" && !cells[0].hasPrefix("---")
                ? (cells[0], cells[1]) : nil
        }
    }

    /// What stands between backticks in a cell; the rest of it before that.
    private static func code(_ cell: String) -> String {
        let trimmed = cell.trimmingCharacters(in: .whitespaces)
        guard trimmed.hasPrefix("`"), trimmed.hasSuffix("`") else { return trimmed.replacing("`", with: "") }
        return String(trimmed.dropFirst().dropLast())
    }

    @Test(arguments: try examples())
    func `The examples of the guide have the values that it shows`(expression: String, expected: String)
        throws
    {
        let text = try Self.text()
        let blocks = text.components(separatedBy: "```")
        let document = try #require(blocks.first { $0.hasPrefix("json\n") }?.dropFirst(5))
        func prepare(_ surroundings: inout JSONExpression.Surroundings) {
            surroundings.now = 1_768_746_600
            surroundings.zone = .berlin
            surroundings.family = "systemSmall"
            surroundings.limit = 2
            let name = JSONValue.string(Array("Anna".utf8))
            surroundings.config = .object([.init(key: Array("person".utf8), value: name)])
        }
        if let error = fault(expression, of: String(document), prepare) {
            #expect("error \(error.kind.rawValue)" == expected)
        } else {
            #expect(try value(expression, of: String(document), prepare) == expected)
        }
    }

    @Test func `The guide has each function and each variable`() throws {
        let text = try Self.text()
        #expect(try Self.examples().count > 40)
        for function in ExpressionFunction.allCases {
            #expect(text.contains("`\(function.rawValue)`") || text.contains("`\(function.rawValue)("))
        }
        for variable in BoundVariable.allCases { #expect(text.contains("`$\(variable.rawValue)`")) }
    }
}
