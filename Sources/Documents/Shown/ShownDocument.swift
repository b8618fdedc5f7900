/// What a widget shows of a document at some moment.
package struct ShownDocument: Sendable {
    package enum State: Sendable, Hashable {
        case fresh, stale
        /// The document says that something failed, or cannot be read.
        case error
        case noData
        /// Its version is newer than the profile knows.
        case incompatible
    }

    package var state: State
    /// What the widget says beside the document, or instead of it.
    package var text: StateText?
    /// In the newest version; `nil` if there is nothing to show but the state.
    package var document: JSON?
    /// When the state may change without a write, in milliseconds since 1970; `nil` if it does not.
    package var changesAt: Int64?

    package init(_ state: State, _ text: StateText? = nil) { (self.state, self.text) = (state, text) }

    private init(error text: String) { self.init(.error, .fixed(text)) }

    /// - Parameters:
    ///   - bytes: `nil` if there is no document.
    ///   - saved: when it was saved, in milliseconds since 1970.
    package init(of bytes: [UInt8]?, _ rule: DocumentRule, saved: Int64, in setting: WidgetSetting) {
        guard let bytes else {
            self.init(.noData, rule.states.text(of: .noData).map { .message($0, []) } ?? .fixed("no data"))
            return
        }
        guard let json = try? JSON(parsing: bytes, limits: .unbounded) else {
            self.init(error: "not JSON")
            return
        }
        switch rule.version(of: json) {
        case .newer(let version):
            self.init(.incompatible, .fixed("version \(version) is newer than the profile's newest"))
        case .unreadable: self.init(error: "unknown version")
        case .unversioned: self.init(newest: json, rule, saved, setting)
        case .known(let version):
            guard rule.passesInvalid || rule.firstViolation(of: json, version: version) == nil else {
                self.init(error: "violates its schema")
                return
            }
            let newest = rule.newest ?? version
            guard let document = try? rule.translate(json, from: version, to: newest, agreed: nil) else {
                self.init(error: "cannot be translated from version \(version)")
                return
            }
            self.init(newest: document, rule, saved, setting)
        }
    }

    private init(newest document: JSON, _ rule: DocumentRule, _ saved: Int64, _ setting: WidgetSetting) {
        let staleAt = rule.staleness?.staleAt(document, saved: saved, zone: rule.zone) ?? .max
        let isStale = staleAt <= setting.now
        let found = rule.states.state(of: document, isStale: isStale, in: setting)
        if let fault = found.fault {
            self.init(error: "`\(fault.name)`: \(fault.error.text)")
        } else {
            self.init(State(found.rule?.state ?? (isStale ? .stale : .fresh)), found.text)
            if state == .fresh || state == .stale { self.document = document }
            if state == .noData, text == nil { text = .fixed("no data") }
        }
        changesAt = found.changesAt
        // A document that shows an error does so at any age.
        if !isStale, staleAt < .max, self.document != nil { changesAt = min(changesAt ?? staleAt, staleAt) }
    }
}

extension ShownDocument.State {
    fileprivate init(_ state: StateRule.State) {
        switch state {
        case .fresh: self = .fresh
        case .stale: self = .stale
        case .error: self = .error
        case .noData, .placeholder: self = .noData
        }
    }
}
