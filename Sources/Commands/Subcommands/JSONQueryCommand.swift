import ArgumentParser
import Documents

struct JSONQueryCommand: Command {
    static let page = HelpPage(
        name: "query",
        abstract: "Print the value of an expression (JMESPath) on a document.",
        example: "widgetbridge json query 'rows[?!done].text' todo.json",
        exits: [
            (.done, "printed, even if the value is null"),
            (.failed, "the file cannot be read or is not JSON, or the expression has an error"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The expression.")
    var expression: String

    @Argument(help: "The document; `-` is standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @Option(name: .customLong("let"), help: "Bind a variable, as `limit=3`.", transform: BoundValue.parsed)
    var bindings: [BoundValue] = []

    @Option(
        help: "The time that `$now` is, as `2026-01-18T14:30:00Z`; now without it.",
        transform: QueryTime.parsed
    )
    var at: QueryTime?

    @Option(
        help:
            "The time zone: its name and its rule, as `Europe/Berlin=CET-1CEST,M3.5.0,M10.5.0/3`; else UTC.",
        transform: QueryZone.parsed
    )
    var zone: QueryZone?

    @Option(help: "The language and region that `$locale` is.")
    var locale: String?

    @OptionGroup var limits: JSONLimitOptions

    @Flag(help: "Print an object with the value, and when it may change by itself.")
    var json = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let query = try JSONExpression(parsing: expression)
        let document = try JSONFile(file, limits).json
        let found = try query.evaluate(document, in: surroundings)
        let text = json ? Self.report(found).description : String(decoding: found.value.bytes, as: UTF8.self)
        terminal.print(text + "\n")
        return .done
    }

    private var surroundings: JSONExpression.Surroundings {
        var surroundings = JSONExpression.Surroundings()
        surroundings.now = at?.seconds ?? Int(LocalTime.now / 1000)
        surroundings.zone = zone?.zone ?? JSONExpression.Zone(name: "UTC", rules: .utc)
        surroundings.locale = locale
        for binding in bindings { surroundings.variables[binding.name] = binding.value }
        return surroundings
    }

    private static func report(_ found: JSONExpression.Evaluation) -> JSONText {
        let change = found.changesAt.map { UTCTime.text(Int64($0) * 1000) }
        let value = JSONText(compacting: String(decoding: found.value.bytes, as: UTF8.self))
        return ["value": value, "changesAt": JSONText(change)]
    }
}

/// A variable and its value, as `limit=3`.
struct BoundValue: Hashable, Sendable {
    let name: String
    let value: JSONValue

    @Sendable static func parsed(_ text: String) throws -> BoundValue {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard parts.count == 2, isName(name), let json = try? JSON(parsing: Array(parts[1].utf8)) else {
            throw ValidationError("expected a name and JSON, such as `limit=3` or `name=\"Anna\"`")
        }
        guard !["now", "today", "zone"].contains(name) else {
            throw ValidationError("give `$\(name)` with --at or --zone")
        }
        return BoundValue(name: name, value: JSONValue(json))
    }

    /// Whether an expression can read a variable of this name.
    private static func isName(_ name: String) -> Bool {
        let isWord = name.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isWord && name.first?.isNumber == false
    }
}

/// A time by RFC 3339.
struct QueryTime: Hashable, Sendable {
    /// Since 1970.
    let seconds: Int

    @Sendable static func parsed(_ text: String) throws -> QueryTime {
        guard let milliseconds = UTCTime.milliseconds(rfc3339: text) else {
            throw ValidationError("expected a time such as `2026-01-18T14:30:00Z`")
        }
        return QueryTime(seconds: Int(milliseconds / 1000) - (milliseconds % 1000 < 0 ? 1 : 0))
    }
}

/// The name of a time zone and its rule by POSIX.
struct QueryZone: Hashable, Sendable {
    let zone: JSONExpression.Zone

    @Sendable static func parsed(_ text: String) throws -> QueryZone {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let rules = TimeZoneRules(posix: String(parts[1])) else {
            throw ValidationError(
                "expected a name and a rule, such as `Europe/Berlin=CET-1CEST,M3.5.0,M10.5.0/3`"
            )
        }
        return QueryZone(zone: JSONExpression.Zone(name: String(parts[0]), rules: rules))
    }
}

extension ExpressionError: ErrorWithProse {
    var prose: ErrorProse {
        var prose = ErrorProse(reason.text, at: "column \(column) of the expression", "correct it there")
        prose.suggestion = suggestion
        return prose
    }
}
