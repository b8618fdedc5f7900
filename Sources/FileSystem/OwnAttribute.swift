/// The names of the extended attributes that the bridge gives to files. They say something of one file, so
/// they are not copied to another with its rights.
package enum OwnAttribute {
    /// `PublicationMark` has its bytes.
    package static let publication = "widgetbridge.published"
    package static let rights = "widgetbridge.rights"
}
