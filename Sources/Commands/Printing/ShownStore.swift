import AgentAPI
import Documents

/// The store of a document on one side and platform.
struct ShownStore {
    var platform: StorePlatform
    var side: DocumentView.Container
    var store: StoreRule

    /// Such as "flutter, `widget_data` as text and 11 fields in shared_prefs/A.xml".
    var words: String {
        var parts: [String] = []
        switch store.whole {
        case nil: break
        case .text(let key): parts.append("`\(key)` as text")
        case .data(let key): parts.append("`\(key)` as data")
        }
        let count = store.fields.count
        if count > 0 { parts.append(count == 1 ? "1 field" : "\(count) fields") }
        let content = parts.isEmpty ? "" : ", " + parts.joined(separator: " and ")
        return "\(store.format.rawValue)\(content) in \(store.file)"
    }

    var json: JSONText {
        var members: [(String, JSONText)] = [
            ("platform", JSONText(platform.rawValue)), ("side", JSONText(side.rawValue)),
            ("format", JSONText(store.format.rawValue)), ("file", JSONText(store.file)),
        ]
        switch store.whole {
        case nil: break
        case .text(let key): members.append(("text", JSONText(key)))
        case .data(let key): members.append(("data", JSONText(key)))
        }
        if let table = store.table { members.append(("table", JSONText(table.name))) }
        let fields = store.fields.map { field -> JSONText in
            [
                "key": JSONText(field.key), "type": JSONText(field.type.rawValue),
                "pointer": JSONText(field.pointer.description),
            ]
        }
        members.append(("fields", JSONText(fields)))
        return JSONText(object: members)
    }
}

extension DocumentRule {
    var shownStores: [ShownStore] {
        StorePlatform.allCases.flatMap { platform in
            DocumentView.Container.allCases.compactMap { side in
                stores[platform]?[side].map { ShownStore(platform: platform, side: side, store: $0) }
            }
        }
    }
}
