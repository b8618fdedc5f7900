/// When the file of a document was last modified. `Last-Modified` has whole seconds only.
package enum ModifiedHeader {
    package static let name = "widgetbridge-modified"
}
