/// Reads a message. Columns count Unicode scalars.
struct MessageParser {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    static let forms = [
        "number", "money", "date", "time", "days", "hours", "minutes", "plural", "selectordinal", "select",
    ]

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    static func example(of form: String) -> String {
        switch form {
        case "money": "{spent, money, currency}"
        case "select": "{state, select, done {Done} other {Open}}"
        default: "{count, \(form), one {# task} other {# tasks}}"
        }
    }

    /// All of it.
    mutating func message() throws(MessageError) -> [Message.Part] {
        let parts = try parts(inPlural: false)
        if index < scalars.count { throw fail(.closing) }
        return parts
    }

    private func fail(_ reason: MessageError.Reason, at place: Int? = nil) -> MessageError {
        MessageError(column: (place ?? index) + 1, reason: reason)
    }

    /// Up to the end, or to the closing brace.
    private mutating func parts(inPlural: Bool) throws(MessageError) -> [Message.Part] {
        var parts: [Message.Part] = []
        var text = String.UnicodeScalarView()
        func flush() {
            if !text.isEmpty { parts.append(.text(String(text))) }
            text.removeAll()
        }
        while let scalar = peek, scalar != "}" {
            switch scalar {
            case "'": quoted(inPlural: inPlural, into: &text)
            case "{":
                flush()
                parts.append(.argument(try argument()))
            case "#" where inPlural:
                flush()
                parts.append(.number)
                index += 1
            default:
                text.append(scalar)
                index += 1
            }
        }
        flush()
        return parts
    }

    /// Two apostrophes are one. One before a character of the syntax begins a quotation up to the next single
    /// one, any other is itself.
    private mutating func quoted(inPlural: Bool, into text: inout String.UnicodeScalarView) {
        index += 1
        guard let next = peek, next == "'" || next == "{" || next == "}" || (next == "#" && inPlural) else {
            return text.append("'")
        }
        if next == "'" {
            index += 1
            return text.append("'")
        }
        while let scalar = peek {
            index += 1
            if scalar != "'" {
                text.append(scalar)
            } else if peek == "'" {
                index += 1
                text.append("'")
            } else {
                return
            }
        }
    }

    // MARK: Arguments

    private mutating func argument() throws(MessageError) -> Message.Argument {
        let start = index
        index += 1
        let column = index + 1
        let name = word()
        if name.isEmpty { throw peek == nil ? fail(.open, at: start) : fail(.noName) }
        var form = Message.Form.plain
        if peek == "," {
            index += 1
            form = try self.form(of: start)
        }
        skipSpace()
        guard peek == "}" else { throw fail(.open, at: start) }
        index += 1
        return Message.Argument(name: name, form: form, column: column)
    }

    private mutating func form(of start: Int) throws(MessageError) -> Message.Form {
        skipSpace()
        let place = index
        let name = word()
        switch name {
        case "plural", "selectordinal":
            try expectComma(of: name, start)
            return .plural(try plural(name))
        case "select":
            try expectComma(of: name, start)
            return .select(try select())
        case _ where Self.forms.contains(name): break
        default: throw fail(.unknownForm(name), at: place)
        }
        guard peek == "," else {
            if name == "money" { throw fail(.noStyle(form: name), at: place) }
            return try simpleForm(name, "", at: place)
        }
        index += 1
        skipSpace()
        let stylePlace = index
        return try simpleForm(name, try style(start), at: stylePlace)
    }

    private func simpleForm(_ name: String, _ style: String, at place: Int) throws(MessageError)
        -> Message.Form
    {
        let form: Message.Form? =
            switch name {
            case "number": NumberStyle(style).map { .number($0) }
            case "money": MoneyStyle(style).map { .money($0) }
            case "date": DateStyle(date: style).map { .date($0) }
            case "time": DateStyle(time: style).map { .date($0) }
            default: style.isEmpty ? RelativeUnit(rawValue: name).map { .relative($0) } : nil
            }
        guard let form else { throw fail(.unknownStyle(style, form: name), at: place) }
        return form
    }

    private mutating func expectComma(of form: String, _ start: Int) throws(MessageError) {
        skipSpace()
        guard let next = peek else { throw fail(.open, at: start) }
        guard next == "," else { throw fail(.noStyle(form: form)) }
        index += 1
    }

    /// The rest of an argument. An apostrophe quotes a brace.
    private mutating func style(_ start: Int) throws(MessageError) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek, scalar != "}" {
            if scalar == "{" { throw fail(.open, at: start) }
            if scalar == "'" {
                quoted(inPlural: false, into: &text)
            } else {
                text.append(scalar)
                index += 1
            }
        }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    // MARK: Choices

    private mutating func plural(_ form: String) throws(MessageError) -> Message.Plural {
        var plural = Message.Plural(isOrdinal: form == "selectordinal")
        skipSpace()
        if let offset = offset() { plural.offset = offset }
        while let (selector, place) = try selector() {
            let parts = try choice(selector, inPlural: true)
            if selector.hasPrefix("="), let number = Int(selector.dropFirst()) {
                guard plural.exact.updateValue(parts, forKey: number) == nil else {
                    throw fail(.repeated(selector), at: place)
                }
            } else if let category = PluralCategory(rawValue: selector) {
                guard plural.categories.updateValue(parts, forKey: category) == nil else {
                    throw fail(.repeated(selector), at: place)
                }
            } else {
                throw fail(.unknownSelector(selector), at: place)
            }
        }
        if plural.categories[.other] == nil { throw fail(.noOther(form: form)) }
        return plural
    }

    private mutating func select() throws(MessageError) -> [String: [Message.Part]] {
        var choices: [String: [Message.Part]] = [:]
        while let (selector, place) = try selector() {
            let parts = try choice(selector, inPlural: false)
            guard choices.updateValue(parts, forKey: selector) == nil else {
                throw fail(.repeated(selector), at: place)
            }
        }
        if choices["other"] == nil { throw fail(.noOther(form: "select")) }
        return choices
    }

    /// Of `offset:1`, or `offset: 1`.
    private mutating func offset() -> Int? {
        let start = index
        var text = word()
        guard text.hasPrefix("offset:") else {
            index = start
            return nil
        }
        text.removeFirst("offset:".count)
        guard let number = Int(text.isEmpty ? word() : text) else {
            index = start
            return nil
        }
        return number
    }

    /// `nil` at the closing brace of the argument.
    private mutating func selector() throws(MessageError) -> (text: String, place: Int)? {
        skipSpace()
        let place = index
        guard let next = peek, next != "}" else { return nil }
        let text = word()
        if text.isEmpty { throw fail(.unknownSelector(String(next))) }
        return (text, place)
    }

    private mutating func choice(_ selector: String, inPlural: Bool) throws(MessageError) -> [Message.Part] {
        skipSpace()
        let start = index
        guard peek == "{" else { throw fail(.noMessage(selector)) }
        guard depth < Message.mostLevels else { throw fail(.tooDeep(limit: Message.mostLevels)) }
        index += 1
        depth += 1
        let parts = try parts(inPlural: inPlural)
        depth -= 1
        guard peek == "}" else { throw fail(.open, at: start) }
        index += 1
        return parts
    }

    // MARK: Characters

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func skipSpace() {
        while let scalar = peek, scalar.properties.isPatternWhitespace { index += 1 }
    }

    /// Characters that are neither space nor syntax, and the space around them.
    private mutating func word() -> String {
        skipSpace()
        var text = String.UnicodeScalarView()
        while let scalar = peek, !scalar.properties.isPatternWhitespace,
            !",{}'#".unicodeScalars.contains(scalar)
        {
            text.append(scalar)
            index += 1
        }
        skipSpace()
        return String(text)
    }
}
