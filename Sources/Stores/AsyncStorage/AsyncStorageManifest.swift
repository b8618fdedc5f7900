import Documents

/// The manifest of React Native's AsyncStorage on iOS, `manifest.json`: one JSON object with a short value
/// for each key, or null where the value is a file beside the manifest.
///
/// All values are strings. Members that are not changed keep their bytes.
package struct AsyncStorageManifest: KeyedFile {
    private let bytes: [UInt8]
    private let json: JSON?
    private let members: [Member]
    private let places: [ExactText: Int]
    /// Values that were read from their files.
    private var outside: [ExactText: StoreValue] = [:]

    private struct Member: Sendable {
        let key: String
        let json: JSONMember
    }

    /// Where a value is.
    package enum Location: Sendable, Hashable {
        case inline(String)
        /// The name of a file in the directory of the manifest.
        case file(String)
    }

    /// The most UTF-16 units of a value within the manifest.
    package static let mostInline = 1_024

    package static func isLong(_ bytes: [UInt8]) -> Bool {
        bytes.count > mostInline && String(decoding: bytes, as: UTF8.self).utf16.count > mostInline
    }

    /// Stands for a value that is in a file. All values are strings, so it is none of them.
    package static let elsewhere = StoreValue.data([])

    package init() {
        (bytes, json, members, places) = (Array("{}".utf8), nil, [], [:])
    }

    package init(parsing bytes: [UInt8], limits: StoreLimits) throws(StoreFault) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(
                parsing: bytes,
                limits: JSONLimits(maxBytes: limits.maxBytes, maxDepth: limits.maxDepth)
            )
        } catch {
            throw StoreFault(error)
        }
        guard let found = JSONMember.all(of: json) else {
            guard let type = JSONNode.Kind(of: json).storeType else { throw .notTheFormat(.asyncStorage) }
            throw .notKeyed(.asyncStorage, found: type)
        }
        guard found.count <= limits.maxValues else { throw .tooManyValues(limit: limits.maxValues) }
        var members: [Member] = []
        var places: [ExactText: Int] = [:]
        for member in found {
            guard let key = member.key else {
                throw .malformed(.asyncStorage, .line(of: member.range.lowerBound, in: bytes), .notUTF8)
            }
            guard places.updateValue(members.count, forKey: ExactText(key)) == nil else {
                throw .duplicateKey(.asyncStorage, key)
            }
            guard member.kind == .null || member.isText else {
                if let type = member.kind.storeType, type != .string {
                    throw .wrongType(.asyncStorage, key: key, found: type, expected: .string)
                }
                let place = StorePlace.line(of: member.valueRange.lowerBound, in: bytes)
                throw .malformedValue(.asyncStorage, key: key, place, .notUTF8)
            }
            members.append(Member(key: key, json: member))
        }
        (self.bytes, self.json, self.members, self.places) = (bytes, json, members, places)
    }

    package var keys: [String] { members.map(\.key) }

    /// The value within the manifest, or `elsewhere`.
    package subscript(key: String) -> StoreValue? {
        switch location(of: key) {
        case nil: nil
        case .inline(let text): .string(text)
        case .file: outside[ExactText(key)] ?? Self.elsewhere
        }
    }

    /// With the value of a key that is in a file with these bytes.
    package func reading(_ bytes: [UInt8], ofFile key: String) throws(StoreFault) -> AsyncStorageManifest {
        var copy = self
        copy.outside[ExactText(key)] = try Self.value(ofFile: bytes, key: key)
        return copy
    }

    /// `nil` if there is no such key.
    package func location(of key: String) -> Location? {
        guard let place = places[ExactText(key)] else { return nil }
        guard let json, let text = members[place].json.text(in: json) else {
            return .file(Self.fileName(of: key))
        }
        return .inline(text)
    }

    /// The manifest alone; where a value is too long for it, or was, `changing` says which files change, too.
    package func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] {
        try changing(changes).manifest ?? bytes
    }

    /// What to write and to remove; `nil` removes a key.
    package func changing(_ changes: StoreChanges) throws(StoreFault) -> AsyncStorageChange {
        var change = AsyncStorageChange()
        var replaced: [Int: [UInt8]?] = [:]
        var added: [[UInt8]] = []
        for (exact, value) in changes.sorted(by: { $0.key < $1.key }) {
            let (key, place) = (exact.text, places[exact])
            let isFile = place.map { members[$0].json.kind == .null } ?? false
            guard let value else {
                if let place { replaced.updateValue(nil, forKey: place) }
                if isFile { change.removed.append(Self.fileName(of: key)) }
                continue
            }
            var written = JSONText.null
            if case .string(let text) = value {
                if text.utf16.count > Self.mostInline {
                    change.written.append(.init(name: Self.fileName(of: key), bytes: Array(text.utf8)))
                } else {
                    written = JSONText(text)
                }
            } else if value != Self.elsewhere {
                throw .unrepresentable(.asyncStorage, key: key, value.type)
            }
            if isFile, written == .null { continue }
            if isFile { change.removed.append(Self.fileName(of: key)) }
            if let place {
                replaced[place] = Array(written.description.utf8)
            } else {
                added.append(Array("\(JSONText(key)):\(written)".utf8))
            }
        }
        if !replaced.isEmpty || !added.isEmpty { change.manifest = spliced(replaced, added) }
        return change
    }

    /// - Parameters:
    ///   - replaced: The new value of a member; `nil` removes it.
    ///   - added: Whole members.
    private func spliced(_ replaced: [Int: [UInt8]?], _ added: [[UInt8]]) -> [UInt8] {
        var edits = ByteEdits()
        var additions = Array(added.joined(separator: [UInt8(ascii: ",")]))
        let ranges = members.map(\.json.range)
        let firstKept = ranges.indices.first { replaced[$0] != .some(nil) }
        for (index, value) in replaced {
            if let value {
                edits.replace(members[index].json.valueRange, with: value)
            } else if let firstKept, index > firstKept {
                // With the comma before it.
                edits.replace(ranges[index - 1].upperBound..<ranges[index].upperBound, with: [])
            }
        }
        if let firstKept, firstKept > 0 {
            edits.replace(ranges[0].lowerBound..<ranges[firstKept].lowerBound, with: [])
        } else if firstKept == nil, let first = ranges.first, let last = ranges.last {
            edits.replace(first.lowerBound..<last.upperBound, with: [])
        }
        if firstKept != nil, !additions.isEmpty { additions.insert(UInt8(ascii: ","), at: 0) }
        edits.insert(additions, at: ranges.last?.upperBound ?? start)
        return edits.applied(to: bytes)
    }

    /// Where the first member goes.
    private var start: Int { (bytes.firstIndex(of: UInt8(ascii: "{")) ?? 0) + 1 }
}
