/// A text with arguments, in the syntax of ICU messages
/// (https://unicode-org.github.io/icu/userguide/format_parse/messages/).
package struct Message: Sendable, Hashable {
    package let text: String
    package let parts: [Part]

    /// The most bytes of a message.
    package static let mostBytes = 16 << 10
    /// The most levels of `plural` and `select` inside each other.
    package static let mostLevels = 10

    package init(parsing text: String) throws(MessageError) {
        guard text.utf8.count <= Self.mostBytes else {
            throw MessageError(column: 1, reason: .tooLong(limit: Self.mostBytes))
        }
        var parser = MessageParser(text)
        self.text = text
        parts = try parser.message()
    }

    package enum Part: Sendable, Hashable {
        case text(String)
        case argument(Argument)
        /// `#`: the number of the `plural` around, less its offset.
        case number
    }

    /// A text without arguments, whatever characters it has.
    package init(plain text: String) {
        self.text = text
        parts = [.text(text)]
    }

    package struct Argument: Sendable, Hashable {
        package var name: String
        package var form: Form
        /// Of its name.
        package var column: Int
    }

    package indirect enum Form: Sendable, Hashable {
        case plain
        case number(NumberStyle)
        case money(MoneyStyle)
        case date(DateStyle)
        /// A number of this unit, counted from the present moment: `in 3 days`, `yesterday`.
        case relative(RelativeUnit)
        case plural(Plural)
        case select([String: [Part]])
    }

    package struct Plural: Sendable, Hashable {
        package var isOrdinal: Bool
        package var offset = 0
        package var exact: [Int: [Part]] = [:]
        package var categories: [PluralCategory: [Part]] = [:]
    }

    /// The arguments that it names, each once, in the order of the text.
    package var arguments: [(name: String, column: Int)] {
        var found: [(name: String, column: Int)] = []
        Self.collect(parts, &found)
        return found
    }

    private static func collect(_ parts: [Part], _ found: inout [(name: String, column: Int)]) {
        for case .argument(let argument) in parts {
            var names = [argument.name]
            if case .money(let style) = argument.form, case .argument(let name) = style.currency {
                names.append(name)
            }
            for name in names where !found.contains(where: { $0.name == name }) {
                found.append((name, argument.column))
            }
            switch argument.form {
            case .plural(let plural):
                for parts in plural.exact.sorted(by: { $0.key < $1.key }) { collect(parts.value, &found) }
                for category in PluralCategory.allCases { collect(plural.categories[category] ?? [], &found) }
            case .select(let choices):
                for choice in choices.sorted(by: { $0.key < $1.key }) { collect(choice.value, &found) }
            default: break
            }
        }
    }
}
