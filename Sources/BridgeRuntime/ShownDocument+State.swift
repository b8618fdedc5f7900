package import Documents
package import Reloads
import SyncEngine

extension ShownDocument.State {
    package var shown: ShownState { hindrance ?? (self == .fresh ? .fresh : .stale) }

    /// What a widget says beside the content, or instead of one; `nil`: nothing.
    package func text(_ rule: DocumentRule) -> String? {
        switch self {
        case .fresh: nil
        case .stale: rule.errors.first { $0.name == "stale" }?.text
        case .noData(let text): text ?? "no data"
        case .error(let text): text
        case .incompatible(let version): "version \(version) is newer than the profile's newest"
        }
    }
}
