package import Model

/// Whether a program would take this name for a document.
package func isDocument(_ path: RelativePath) -> Bool {
    path.name.hasSuffix(".json") && !path.name.hasPrefix(".")
}

/// Why an actor, a document or a scenario cannot have that name; `nil` if it can.
func faultOfName(_ name: String) -> String? {
    if name.isEmpty { return "a name cannot be empty" }
    // Control characters would be printed as something else.
    if name.unicodeScalars.contains(where: \.isControl) { return "a name cannot have control characters" }
    let isLong = name.utf8.split(separator: UInt8(ascii: "/")).contains { $0.count > ScenarioLimits.name }
    return isLong ? "a name of more than \(ScenarioLimits.name) bytes" : nil
}

extension ScenarioDocument {
    /// Why no disk can hold it beside these.
    func fault(beside others: [ScenarioDocument]) -> String? {
        for other in others {
            if path == other.path { return "`\(path)` is named twice" }
            for (inner, outer) in [(path, other.path), (other.path, path)] where inner.isInside(outer) {
                return "`\(inner)` needs a directory `\(outer)`, which is a document"
            }
        }
        return nil
    }
}
