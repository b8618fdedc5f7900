package import Model

/// A name that a program would take for a document.
package func isDocument(_ path: RelativePath) -> Bool {
    path.name.hasSuffix(".json") && !path.name.hasPrefix(".")
}
