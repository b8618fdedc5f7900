import Documents

extension StoreMapping {
    /// Every value of the document that cannot be read, and not only the first.
    package func mismatches(in values: (String) -> StoreValue?) -> [StoreMismatch] {
        var mismatches: [StoreMismatch] = []
        func check(_ key: String, _ type: StoreType) {
            do throws(StoreMismatch) {
                _ = try located(key) { () throws(StoreMismatch.Reason) in
                    try encoding.decode(key, of: type, from: values)
                }
            } catch {
                mismatches.append(error)
            }
        }
        if let whole = store.whole { check(whole.key, whole.type) }
        for field in store.fields { check(field.key, field.type.storeType(in: store)) }
        return mismatches
    }

    /// The keys of the profile as in the file, without those that only mark others.
    package var spelledKeys: [String] { store.keys.map(encoding.spelled) }

    /// The values that differ from the document that the store has beside them. Those that cannot be read are
    /// mismatches.
    package func differences(in values: (String) -> StoreValue?, from bytes: [UInt8]) -> [StoreDifference] {
        guard store.whole != nil, let json = try? JSON(parsing: bytes, limits: Self.limits) else { return [] }
        let version: Int? = if case .known(let number) = document.version(of: json) { number } else { nil }
        return store.fields.compactMap { field in
            do throws(StoreMismatch) {
                let expected = try stored(field, of: json, at: version)
                let found = try located(field.key) { () throws(StoreMismatch.Reason) in
                    try encoding.decode(field.key, of: field.type.storeType(in: store), from: values)
                }
                if found == expected || found?.integral(as: expected) == expected { return nil }
                return StoreDifference(
                    key: encoding.spelled(field.key),
                    pointer: store.start[version].appending(field.pointer),
                    found: found,
                    expected: expected
                )
            } catch {
                return nil
            }
        }
    }
}

extension StoreMapping {
    /// The longs of `home_widget` that may be real numbers as well as integers.
    package func doubtfulLongs(
        in values: (String) -> StoreValue?
    ) -> [(key: String, long: Int64, type: StoreType)] {
        guard store.format == .homeWidget, store.fileKind == .preferences else { return [] }
        return store.fields.compactMap { field in
            let type = field.type.storeType(in: store)
            let keys = encoding.keys(of: field.key)
            guard type == .real || type == .integer, let key = keys.first,
                case .integer(let long)? = values(key),
                HomeWidgetValue.isDoubtful(
                    long,
                    as: type,
                    isMarked: keys.count == 1 ? .bool(true) : values(keys[1])
                )
            else { return nil }
            return (key, long, type)
        }
    }
}

extension StoreMapping {
    /// Whether single values differ from the document beside them, of which they can be made.
    package func hasOtherValues(_ values: (String) -> StoreValue?, than bytes: [UInt8]) -> Bool {
        if differences(in: values, from: bytes).isEmpty { return false }
        guard let json = try? JSON(parsing: bytes, limits: Self.limits) else { return false }
        switch document.version(of: json) {
        case .unversioned: return true
        case .known(let version):
            return document.passesInvalid || document.firstViolation(of: json, version: version) == nil
        case .newer, .unreadable: return false
        }
    }
}

extension StoreValue {
    /// `UserDefaults` reads an integer as a real number as well.
    fileprivate func integral(as other: StoreValue?) -> StoreValue? {
        if case .integer(let number) = self, other?.type == .real { .real(Double(number)) } else { self }
    }
}
