package import Model

/// Whether a program would take this name for a document.
package func isDocument(_ path: RelativePath) -> Bool {
    path.name.hasSuffix(".json") && !path.name.hasPrefix(".")
}
