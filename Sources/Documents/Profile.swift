/// One app described as data.
package struct Profile: Sendable {
    package var id: String
    package var documents: [DocumentRule]
}

/// What a profile says of one document.
package struct DocumentRule: Sendable {
    package var path: String
}
