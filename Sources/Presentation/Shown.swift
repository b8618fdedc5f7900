package import Documents

/// What a widget shows of a document.
package struct Shown: Sendable {
    package struct Text: Sendable, Hashable {
        package var name: String
        package var text: String
    }

    package var state: ShownDocument.State
    /// What the widget says beside the document, or instead of it.
    package var text: String?
    /// In the newest version; `nil` if there is nothing to show but the state.
    package var document: JSON?
    /// In the profile's order; none if there is nothing to show but the state.
    package var values = ShownValues()
    package var texts: [Text] = []
    /// Of each row.
    package var rowTexts: [[Text]] = []
    /// When any of it may change without a write, in milliseconds since 1970; `nil` if it does not.
    package var changesAt: Int64?

    /// - Parameters:
    ///   - document: what the rule finds in the document at the moment of `setting`.
    ///   - setting: for which widget.
    package init(of document: ShownDocument, in kind: WidgetKind, _ setting: WidgetSetting) {
        (state, self.document, changesAt) = (document.state, document.document, document.changesAt)
        text = document.text?.text(in: setting)
        guard let newest = document.document, !kind.content.isEmpty else { return }
        values = ShownValues(of: newest, kind.content, in: setting)
        if let change = values.changesAt { changesAt = min(changesAt ?? change, change) }
        if let fault = values.fault {
            (state, text, self.document) = (.error, fault.text, nil)
            return
        }
        let content = kind.content
        var arguments = values.values.named
        if content.rows != nil { arguments[ComputedContent.moreName] = .number("\(values.more)") }
        texts = content.texts.map { Text(name: $0.name, text: $0.text.text(arguments, in: setting)) }
        if content.rowTexts.isEmpty { return }
        rowTexts = (values.rows ?? []).map { row in
            let members = row.members
            return content.rowTexts.map { Text(name: $0.name, text: $0.text.text(members, in: setting)) }
        }
    }
}

extension StateText {
    fileprivate func text(in setting: WidgetSetting) -> String {
        switch self {
        case .fixed(let text): text
        case .message(let message, let values): message.text(values.named, in: setting)
        }
    }
}

extension LocalizedMessage {
    fileprivate func text(_ arguments: [String: JSONValue], in setting: WidgetSetting) -> String {
        let (message, locale) = message(for: setting.locale)
        let place = Message.Setting(locale: locale ?? Self.standardLocale, zone: setting.zone.rules)
        return message.text(arguments, in: place)
    }

    private static let standardLocale = "en_US"
}

extension ShownValues.Fault {
    /// One line.
    package var text: String { "`\(name)`: \(error.text)" }
}

extension [ShownValues.Value] {
    fileprivate var named: [String: JSONValue] { Dictionary(map { ($0.name, $0.value) }) { $1 } }
}

extension JSONValue {
    /// Of an object, by name.
    fileprivate var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return Dictionary(members.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }) { $1 }
    }
}
