import Stores

extension KeyedFile {
    /// The keys whose values differ in the other file, with its values; `nil` for a key that it has not.
    func changes(to other: any KeyedFile, except keys: Set<ExactText> = []) -> StoreChanges {
        var changes: StoreChanges = [:]
        for key in Set((self.keys + other.keys).map(ExactText.init(_:))) where !keys.contains(key) {
            let value = other[key.text]
            if value != self[key.text] { changes[key] = .some(value) }
        }
        return changes
    }

    /// The changes whose keys have the same values here as in `base`: a key that was changed again keeps its
    /// newer value.
    func applicable(_ changes: StoreChanges, since base: any KeyedFile) -> StoreChanges {
        changes.filter { key, value in self[key.text] == base[key.text] && self[key.text] != value }
    }
}
