/// The names of the extended attributes that the bridge sets. Each describes one file, so it is not copied to
/// another file with the rights.
package enum OwnAttribute {
    /// `PublicationMark` defines its bytes.
    package static let publication = "widgetbridge.published"
    package static let rights = "widgetbridge.rights"
    /// `StoreMark` defines its bytes.
    package static let store = "widgetbridge.store"

    package static let all = [publication, rights, store]
}
