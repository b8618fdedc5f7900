package import BridgeRuntime
package import Documents
import Model
import StateStore
package import SyncEngine

// Conflicts, the trash and decisions as JSON; the derived `Decodable` reads it back.

extension KeptConflict {
    package var json: JSONText {
        [
            "id": JSONText(id),
            "document": JSONText(document),
            "side": JSONText(side?.rawValue),
            "at": JSONText(at),
            "time": JSONText(UTCTime.text(at)),
            "reason": JSONText(reason.text),
            "file": JSONText(file),
            "hash": JSONText(hash),
            "size": JSONText(size),
            "sizeBytes": JSONText(size),
            "fields": JSONText(fields.map(\.json)),
            "patch": JSONText(patch),
            "against": JSONText(against),
        ]
    }
}

extension KeptConflict.Field {
    fileprivate var json: JSONText {
        [
            "pointer": JSONText(pointer), "base": JSONText(base), "app": JSONText(app),
            "group": JSONText(group),
        ]
    }
}

extension TrashedContent {
    package var json: JSONText {
        [
            "id": JSONText(id),
            "document": JSONText(document),
            "generation": JSONText(generation),
            "side": JSONText(side?.rawValue),
            "at": JSONText(at),
            "time": JSONText(UTCTime.text(at)),
            "reason": JSONText(reason.text),
            "hash": JSONText(hash),
            "size": JSONText(size),
            "sizeBytes": JSONText(size),
        ]
    }
}

extension MadeEdit {
    package var json: JSONText {
        [
            "document": JSONText(document), "side": JSONText(side.rawValue), "hash": JSONText(hash),
            "isWritten": JSONText(isWritten), "reason": JSONText(reason.text),
        ]
    }
}

extension Allowed {
    package var json: JSONText {
        [
            "side": JSONText(side.rawValue),
            "documents": JSONText(documents.map { JSONText($0) }),
            "takesContainer": JSONText(takesContainer),
        ]
    }
}

/// The body of a list.
package struct ConflictList: Decodable { package var conflicts: [KeptConflict] }
package struct TrashList: Decodable { package var history: [TrashedContent] }

extension BridgePause {
    package var json: JSONText {
        ["isPaused": JSONText(isPaused), "since": JSONText(since), "isChanged": JSONText(isChanged)]
    }
}
