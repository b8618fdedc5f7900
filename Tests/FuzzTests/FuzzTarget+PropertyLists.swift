import Stores

extension FuzzTarget {
    /// A property list in either encoding: what can be read can be written and is read as the same again,
    /// with and without a change.
    static func listing(_ bytes: [UInt8]) -> String? {
        guard let file = try? PropertyList(parsing: bytes) else { return nil }
        let values = values(of: file)
        if values.count != file.keys.count { return "a key has no value" }
        do throws(StoreFault) {
            let written = try file.replacing([:])
            if file.format == .xmlPropertyList, written != bytes { return "without a change, bytes change" }
            let again = try PropertyList(parsing: written)
            if again.keys != file.keys || Self.values(of: again) != values { return "it is read as another" }
            return try changing(file, values)
        } catch {
            return "what was written cannot be read: \(error)"
        }
    }

    private static func values(of file: PropertyList) -> [ExactText: StoreValue] {
        Dictionary(file.keys.compactMap { key in file[key].map { (ExactText(key), $0) } }) { $1 }
    }

    private static func changing(
        _ file: PropertyList,
        _ values: [ExactText: StoreValue]
    ) throws(StoreFault) -> String? {
        let new = StoreValue.array([.string("é<"), .data([1]), .dictionary(["a": .real(0.5)])])
        var changed = values
        changed["new"] = new
        var changes: StoreChanges = ["new": new]
        if let first = file.keys.first.map(ExactText.init(_:)), first != "new" {
            changed[first] = nil
            changes[first] = .some(nil)
        }
        let written = try PropertyList(parsing: try file.replacing(changes))
        return Self.values(of: written) == changed ? nil : "a change of one key changes others"
    }
}
