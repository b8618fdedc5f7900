import Stores

extension KeyedFile {
    /// The keys whose values differ in the other file, with its values; `nil` for a key that it has not.
    func changes(to other: any KeyedFile, except keys: Set<String> = []) -> [String: StoreValue?] {
        var changes: [String: StoreValue?] = [:]
        for key in Set(self.keys).union(other.keys) where !keys.contains(key) {
            let value = other[key]
            if value != self[key] { changes[key] = .some(value) }
        }
        return changes
    }

    /// The changes whose keys have the same values here as in `base`: a key that was changed again keeps its
    /// newer value.
    func applicable(_ changes: [String: StoreValue?], since base: any KeyedFile) -> [String: StoreValue?] {
        changes.filter { key, value in self[key] == base[key] && self[key] != value }
    }
}
