/// Which side's changes of a document are synced.
package enum DocumentDirection: String, CaseIterable, Sendable {
    case both
    case appToGroup = "app-to-group"
    case groupToApp = "group-to-app"

    /// The only side whose changes are synced, while those of the other side are undone; `nil`: both.
    package var source: DocumentView.Container? {
        switch self {
        case .both: nil
        case .appToGroup: .app
        case .groupToApp: .group
        }
    }
}
