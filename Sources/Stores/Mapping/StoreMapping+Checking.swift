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
}
