package import Documents
import Model
package import StateStore

extension EventDraft {
    /// The longest ID, kind or name, in bytes.
    private static let longestName = 200

    /// Whether an event can have this ID, kind or name.
    static func isUsable(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count) && !text.unicodeScalars.contains(where: \.isControl)
    }

    /// - Parameter profile: its kinds and deep links are those that the event may have.
    package func checked(_ profile: Profile?, _ rules: EventRules) throws(BridgeError) -> NewEvent {
        for (part, text) in [(EventFault.Part.id, id), (.kind, kind), (.name, name)] {
            guard Self.isUsable(text) else { throw .event(.unusable(part)) }
        }
        let size = [id, kind, name].reduce(data?.count ?? 0) { $0 + $1.utf8.count }
        guard size <= rules.maxSize else { throw .event(.tooLarge(bytes: size, limit: rules.maxSize)) }
        let json = try data.map { bytes throws(BridgeError) in
            do throws(JSONError) { return try JSON(parsing: bytes) } catch {
                throw .event(.invalidData(.json(error)))
            }
        }
        // Without a profile, kinds are free words.
        if profile != nil { try checkKind(kind, isNamedBy: profile) }
        try check(linksIn: json, profile)
        // `null` is no data, as in the events that the app gets.
        let text = json.map { JSONText(compacting: $0.plainText).description }.flatMap {
            $0 == JSONText.null.description ? nil : $0
        }
        let named = Array("\(kind)\0\(name)\0".utf8)
        return NewEvent(
            id: id,
            kind: kind,
            name: name,
            data: text,
            content: Digest(of: named + (text == nil ? [] : json.map { canonicalBytes(of: $0) } ?? []))
        )
    }

    /// A link is the event's name, if that has a `:`, or the member `url` of its data.
    private func check(linksIn json: JSON?, _ profile: Profile?) throws(BridgeError) {
        guard let profile, !profile.deepLinks.isEmpty else { return }
        // Systems differ in what may be a scheme: Android takes all that precedes the first `:`.
        let isLink = name.utf8.contains(UInt8(ascii: ":"))
        for link in (isLink ? [name] : []) + (json.map(Profile.links) ?? []) {
            guard let link else { throw .event(.linkNotText) }
            guard profile.admits(link: link) else {
                throw .event(.unknownLink(link, known: profile.deepLinks))
            }
        }
    }
}

extension JSON {
    /// Without a byte order mark.
    fileprivate var plainText: String {
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        return String(text.drop { $0 == "\u{FEFF}" })
    }
}
