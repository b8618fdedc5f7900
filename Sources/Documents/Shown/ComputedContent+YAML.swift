extension ComputedContent {
    static let keys = ["values", "rows", "texts", "rowTexts"]

    /// - Parameter outer: the values of the document, which come before its own.
    init(_ fields: [String: YAMLField], with outer: [NamedExpression]) throws(ProfileError) {
        if Self.keys.allSatisfy({ fields[$0] == nil }) { return }
        let own =
            try fields["values"].map { field throws(ProfileError) in try NamedExpression.all(field) } ?? []
        let inherited = outer.filter { value in !own.contains { $0.name == value.name } }
        values = inherited + own
        rows = try fields["rows"].map { field throws(ProfileError) in try JSONExpression(field) }
        let arguments = values.map(\.name) + (rows == nil ? [] : [Self.moreName])
        for (name, field) in try fields["texts"]?.members() ?? [] {
            texts.append(NamedText(name: name, text: try LocalizedMessage(field, of: arguments)))
        }
        // Those that it does not write are for others.
        let named = Set(texts.flatMap { $0.text.all.flatMap { $0.arguments.map(\.name) } })
        values.removeAll { value in inherited.contains(value) && !named.contains(value.name) }
        guard let rowTexts = fields["rowTexts"] else { return }
        if rows == nil { throw rowTexts.fail(.rule(.strayKey("rowTexts", of: "rows"))) }
        for (name, field) in try rowTexts.members() {
            self.rowTexts.append(
                NamedText(name: name, text: try LocalizedMessage(field, of: rows?.rowMembers))
            )
        }
    }
}

extension String {
    /// Whether a message can name it.
    fileprivate var isArgument: Bool {
        guard let first = utf8.first, first.isLetter || first == UInt8(ascii: "_") else { return false }
        return utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}

extension NamedExpression {
    /// The members of a mapping, in the order of the text.
    static func all(_ field: YAMLField) throws(ProfileError) -> [NamedExpression] {
        var named: [NamedExpression] = []
        for (name, field) in try field.members() {
            guard name.isArgument else { throw field.fail(.expected(.argument, .text(name))) }
            named.append(NamedExpression(name: name, expression: try JSONExpression(field)))
        }
        return named
    }
}

extension JSONExpression {
    /// An error has its position in the YAML.
    init(_ field: YAMLField) throws(ProfileError) {
        let text = try field.text()
        do throws(ExpressionError) { try self.init(parsing: text) } catch {
            throw field.fail(.expression(error))
        }
        guard let free = dependencies.free.first else { return }
        let reason = ExpressionError.Reason.undefinedVariable(String(free.name.dropFirst()))
        throw field.fail(.expression(ExpressionError(column: free.column, reason: reason)))
    }
}

extension LocalizedMessage {
    /// A message, or a mapping of them by locale.
    ///
    /// - Parameter arguments: the names of those that it may have; `nil` for any.
    init(_ field: YAMLField, of arguments: [String]?) throws(ProfileError) {
        guard field.isMapping else {
            self.init(try Message(field, of: arguments))
            return
        }
        var entries: [Entry] = []
        for (locale, field) in try field.members() {
            entries.append(Entry(locale: locale, message: try Message(field, of: arguments)))
        }
        if entries.isEmpty { throw field.fail(.expected(.text, .mapping)) }
        self.init(entries)
    }
}

extension Message {
    fileprivate init(_ field: YAMLField, of arguments: [String]?) throws(ProfileError) {
        let text = try field.text()
        do throws(MessageError) { try self.init(parsing: text) } catch { throw field.fail(.message(error)) }
        guard let arguments, let unknown = self.arguments.first(where: { !arguments.contains($0.name) })
        else {
            return
        }
        let reason = MessageError.Reason.unknownArgument(unknown.name, known: arguments)
        throw field.fail(.message(MessageError(column: unknown.column, reason: reason)))
    }
}
