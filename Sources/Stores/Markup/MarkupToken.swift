/// A piece of an XML document.
package struct MarkupToken: Sendable, Hashable {
    package let kind: Kind
    /// Its bytes, from 0 at the start of the file.
    package let range: Range<Int>

    package enum Kind: Sendable, Hashable {
        case declaration
        case comment
        case instruction(target: String)
        case documentType(MarkupDocumentType)
        case start(MarkupElement)
        /// The end of an element. After an empty element's start, it has no bytes.
        case end(name: String)
        /// Unescaped, with line feeds as line ends. A CDATA section is a token of its own. White space
        /// outside the root element is none.
        case text(String)
    }
}

/// The start of an element.
package struct MarkupElement: Sendable, Hashable {
    package let name: String
    /// In the order of the file, no name twice.
    package let attributes: [MarkupAttribute]
    /// Whether it is written as `<name/>`.
    package let isEmpty: Bool

    package subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
}

package struct MarkupAttribute: Sendable, Hashable {
    package let name: String
    /// Unescaped, with spaces for tabs and line ends that are not escaped.
    package let value: String
}

/// A document type without declarations of its own. What it refers to is never fetched.
package struct MarkupDocumentType: Sendable, Hashable {
    package let name: String
    package let publicID: String?
    package let systemID: String?
}

/// Which characters a document may contain.
package enum MarkupCharacters: Sendable, Hashable {
    /// Those of XML 1.0.
    case xml
    /// Those of XML 1.0, with line ends in text as they are: Apple's parser does not make them line feeds.
    case propertyList
    /// Also every other one as a numeric reference, as Android writes and reads them.
    case android
}
