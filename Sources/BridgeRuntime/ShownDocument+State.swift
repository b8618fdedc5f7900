package import Documents
package import Reloads
import SyncEngine

extension ShownDocument.State {
    package var shown: ShownState { hindrance ?? (self == .fresh ? .fresh : .stale) }
}
