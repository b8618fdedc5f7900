/// What a widget shows of a document at some moment.
package struct ShownDocument: Sendable {
    package enum State: Sendable, Hashable {
        case fresh, stale
        /// The document says that something failed, or cannot be read: with the text to show.
        case error(String)
        case noData(String?)
        /// Its version is newer than the profile knows.
        case incompatible(version: Int)
    }

    package var state: State
    /// In the newest version; `nil` if there is nothing to show but the state.
    package var document: JSON?
    /// When it becomes stale, in milliseconds since 1970; `nil` if it does not.
    package var changesAt: Int64?

    package init(_ state: State) { self.state = state }

    /// - Parameters:
    ///   - bytes: `nil` if there is no document.
    ///   - saved: when it was saved, in milliseconds since 1970.
    package init(of bytes: [UInt8]?, _ rule: DocumentRule, saved: Int64, now: Int64) {
        guard let bytes else {
            self.init(.noData(rule.errors.first { $0.name == ErrorState.noData }?.text))
            return
        }
        guard let json = try? JSON(parsing: bytes, limits: .unbounded) else {
            self.init(.error("not JSON"))
            return
        }
        switch rule.version(of: json) {
        case .newer(let version): self.init(.incompatible(version: version))
        case .unreadable: self.init(.error("unknown version"))
        case .unversioned: self.init(newest: json, rule, saved, now)
        case .known(let version):
            guard rule.passesInvalid || rule.firstViolation(of: json, version: version) == nil else {
                self.init(.error("violates its schema"))
                return
            }
            let newest = rule.newest ?? version
            guard let document = try? rule.translate(json, from: version, to: newest, agreed: nil) else {
                self.init(.error("cannot be translated from version \(version)"))
                return
            }
            self.init(newest: document, rule, saved, now)
        }
    }

    private init(newest document: JSON, _ rule: DocumentRule, _ saved: Int64, _ now: Int64) {
        if let error = rule.errorState(of: document) {
            self.init(error.name == ErrorState.noData ? .noData(error.text) : .error(error.text))
            return
        }
        let staleAt = rule.staleness?.staleAt(document, saved: saved, zone: rule.zone) ?? .max
        self.init(staleAt <= now ? .stale : .fresh)
        self.document = document
        if staleAt > now, staleAt < .max { changesAt = staleAt }
    }
}

extension JSONPointer {
    /// Whether documents of the rule's newest version may have this value.
    package func isPossible(in rule: DocumentRule) -> Bool {
        guard let schema = rule.versions.last?.schema else { return true }
        return Shape(schema).inner(at: tokens[...]) != nil
    }

    /// Whether this value may have elements or members.
    package func isCountable(in rule: DocumentRule) -> Bool {
        guard let schema = rule.versions.last?.schema,
            case .types(let types)? = Shape(schema).inner(at: tokens[...])
        else { return true }
        return !types.isDisjoint(with: [.array, .object])
    }
}
