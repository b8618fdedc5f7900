import Documents
import Model
import Stores

/// Decides what is wrong with a store.
struct StoreDiagnosis {
    private let seen: StoreObservation
    /// The IDs of the App Groups of the profile.
    private let groups: [String]
    private let maxDocument: Int
    private let maxDepth: Int

    init(of store: StoreObservation, in bridge: BridgeObservation) {
        (seen, groups) = (store, bridge.groups)
        (maxDocument, maxDepth) = (bridge.maxDocument, bridge.maxDepth)
    }

    var findings: [Finding] {
        placement.map { finding(.placement($0)) } + surroundings + content
    }

    private func finding(_ reason: Finding.Reason, key: String? = nil) -> Finding {
        Finding(reason, at: .container(seen.side, seen.store.file, key: key))
    }

    private func finding(_ reason: Finding.Store, key: String? = nil) -> Finding {
        finding(.store(reason), key: key)
    }

    // MARK: Where the profile says that it is

    private var placement: [Finding.Placement] {
        let kind = seen.store.fileKind
        switch (seen.platform, kind) {
        case (.ios, .preferences), (.android, .propertyList): return [.otherPlatform(kind, seen.platform)]
        case (.ios, .manifest) where seen.side == .group: return [.notInGroup(seen.store.format)]
        case (.ios, .propertyList): return userDefaults
        case (.android, .preferences):
            return parts.dropLast() == ["shared_prefs"] ? [] : [.notPreferences]
        default: return []
        }
    }

    private var parts: [Substring] { seen.store.file.split(separator: "/") }

    /// `UserDefaults` of an app, or of a group, which are named after the app or the group.
    private var userDefaults: [Finding.Placement] {
        guard parts.dropLast() == ["Library", "Preferences"], let name = parts.last else {
            return [.notUserDefaults]
        }
        if seen.side == .app || groups.isEmpty || groups.contains(where: { name == "\($0).plist" }) {
            return []
        }
        return [.otherGroup(groups)]
    }

    // MARK: What is there

    private var surroundings: [Finding] {
        let (around, file) = (seen.surroundings, seen.store.file)
        let directory = parts.dropLast().joined(separator: "/")
        func beside(_ reason: Finding.Store, _ name: String) -> Finding {
            let path = directory.isEmpty ? name : "\(directory)/\(name)"
            return Finding(.store(reason), at: .container(seen.side, path))
        }
        func exposed(_ mode: UInt32, _ path: String) -> [Finding] {
            [Finding(.store(.exposed(mode)), at: .container(seen.side, path))]
        }
        let (mode, directoryMode) = (around.mode ?? 0, around.directoryMode ?? 0)
        return (mode & 0o002 == 0 ? [] : exposed(mode, file))
            + (directory.isEmpty || !directoryMode.letsOthersReplace ? [] : exposed(directoryMode, directory))
            + [around.dataStore].compactMap(\.self).map { finding(.dataStore($0)) }
            + around.otherGroups.map { finding(.otherGroupFile($0)) }
            + around.leftovers.map { beside(.leftover, $0) }
    }

    private var content: [Finding] {
        switch seen.content {
        case .unknown: []
        case .json(let document): json(document)
        case .missing where seen.surroundings.otherCase != nil:
            [finding(.otherCase(seen.surroundings.otherCase ?? ""))]
        case .missing where seen.surroundings.otherPlace != nil:
            [finding(.otherPlace(seen.surroundings.otherPlace ?? ""))]
        case .missing where seen.store.format == .sqlite: [finding(.missingDatabase)]
        case .missing(let neighbours): [finding(.missing(neighbours: neighbours))]
        case .busy: [finding(.busy)]
        case .locked: [finding(.locked)]
        case .unreadable(let error): [finding(.unreadable(error))]
        case .unusable(let problem): [finding(.unusable(problem))]
        case .notExamined(let bytes): [finding(.notExamined(bytes))]
        case .noTable(let isMade): [finding(.missingTable(seen.store.table?.name ?? "", isMade: isMade))]
        case .row(nil): [finding(.missingRow, key: seen.store.whole?.key)]
        case .row(let bytes?):
            tooLarge(bytes.count).map { finding($0, key: seen.store.whole?.key) }
                + document(bytes, key: seen.store.whole?.key)
        case .file(let file, let size, let backup):
            (backup.map { [finding(.backup(since: $0))] } ?? []) + tooLarge(size).map { finding($0) }
                + keys(of: file)
        }
    }

    private func json(_ document: DocumentObservation) -> [Finding] {
        guard let (_, reason) = Diagnosis.problem(of: document, limit: maxDocument) else { return [] }
        return [Finding(.document(reason), at: .container(seen.side, seen.store.file))]
    }

    /// On iOS, `UserDefaults` reject what makes a file of 4 MiB.
    private func tooLarge(_ bytes: Int) -> [Finding.Store] {
        let limit: Int? =
            switch (seen.platform, seen.store.fileKind) {
            case (.ios, .propertyList): 4 << 20
            case (.android, .database): AndroidWindow.mostBytes + 1
            default: nil
            }
        return limit.flatMap { bytes >= $0 ? [.tooLarge(bytes, limit: $0)] : nil } ?? []
    }

    private func keys(of file: any KeyedFile) -> [Finding] {
        let mapping = StoreMapping(seen.store, of: seen.rule)
        let mismatches = mapping.mismatches { file[$0] }
        let longs = mapping.doubtfulLongs(in: { file[$0] })
        let doubtful = longs.map { long in
            let isRead = !mismatches.contains { $0.key == long.key }
            return finding(.doubtfulLong(long.long, long.type, isRead: isRead), key: long.key)
        }
        let wrong =
            mismatches.filter { one in !longs.contains { $0.key == one.key } }
            .map { finding(.mismatch($0), key: $0.key) } + doubtful
        let names = Set(file.keys.map(ExactText.init(_:)))
        let others = names.subtracting(mapping.keys.map(ExactText.init(_:)))
        let missing = mapping.spelledKeys.enumerated().flatMap { number, key -> [Finding] in
            if names.contains(ExactText(key)) { return [] }
            let renamed = number == 0 ? renamed(among: others, in: file) : nil
            if let other = likely(key, among: others) ?? renamed {
                return [finding(.otherKey(other), key: key)]
            }
            // A field may be optional; the whole document is not.
            return number == 0 && seen.store.whole != nil ? [finding(.missingKey, key: key)] : []
        }
        let found = wrong + missing + secondKey(of: mapping, among: others, in: file)
        // Single values do not express all of a document.
        guard seen.store.whole != nil, let bytes = try? mapping.document(from: { file[$0] }) else {
            return found
        }
        let reported = Set((wrong + missing).map(\.place))
        let differing = mapping.differences(in: { file[$0] }, from: bytes)
            .map { finding(.differs($0), key: $0.key) }
            .filter { !reported.contains($0.place) }
        return found + document(bytes, key: mapping.spelledKeys.first) + differing
    }

    /// The key without the prefix that one of two plugins adds, and with it.
    private func variants(of key: String) -> [String] {
        let bare = key.rest(after: seen.store.pluginPrefix) ?? key
        return [bare, StoreFormat.flutterPrefix + bare]
    }

    /// The key with the prefix more or less, or written with other capitals.
    private func likely(_ key: String, among names: Set<ExactText>) -> String? {
        for other in variants(of: key) where names.contains(ExactText(other)) { return other }
        // Swift treats names that look the same as equal.
        return names.filter { $0.text.lowercased() == key.lowercased() }.min()?.text
    }

    /// The only other key that has a document of this rule, for a key that has the whole document.
    private func renamed(among names: Set<ExactText>, in file: any KeyedFile) -> String? {
        guard seen.store.whole != nil, seen.rule.newest != nil else { return nil }
        let found = names.map(\.text).filter { name in
            guard let value = file[name], value.type == .string || value.type == .data,
                let json = try? JSON(parsing: value.bytes, limits: JSONLimits(maxDepth: maxDepth)),
                case .known(let number) = seen.rule.version(of: json)
            else { return false }
            return seen.rule.firstViolation(of: json, version: number) == nil
        }
        return found.count == 1 ? found.first : nil
    }

    /// The first key that the file has with another prefix as well, and with another value there: one that a
    /// program writes now and the other one wrote before, or the bridge.
    private func secondKey(
        of mapping: StoreMapping,
        among others: Set<ExactText>,
        in file: any KeyedFile
    ) -> [Finding] {
        for key in mapping.spelledKeys {
            guard let value = file[key] else { continue }
            for other in variants(of: key) where others.contains(ExactText(other)) {
                guard let second = file[other], second != value else { continue }
                return [finding(.secondKey(other, isNewer: isNewer(second, than: value)), key: key)]
            }
        }
        return []
    }

    /// By the times that the two documents have; `nil` if that does not tell.
    private func isNewer(_ second: StoreValue, than first: StoreValue) -> Bool? {
        let times = [second, first].compactMap { value -> Int64? in
            let json = try? JSON(parsing: value.bytes, limits: JSONLimits(maxDepth: maxDepth))
            return json.flatMap { seen.rule.staleness?.time(of: $0, zone: seen.rule.zone) }
        }
        return times.count == 2 && times[0] != times[1] ? times[0] > times[1] : nil
    }

    // MARK: The document

    private func document(_ bytes: [UInt8], key: String?) -> [Finding] {
        if bytes.count > maxDocument {
            let place = Finding.Place.container(seen.side, seen.store.file, key: key)
            return [Finding(.document(.tooLarge(Int64(bytes.count), limit: maxDocument)), at: place)]
        }
        let json: JSON
        let limits = JSONLimits(maxBytes: .max, maxDepth: maxDepth)
        do throws(JSONError) { json = try JSON(parsing: bytes, limits: limits) } catch {
            return [finding(.content(.notJSON(error)), key: key)]
        }
        return faults(of: json).map { finding(.content($0), key: key) }
    }

    /// So many violations of a schema are listed.
    private static let mostViolations = 5

    private func faults(of json: JSON) -> [Finding.Content] {
        switch seen.rule.version(of: json) {
        case .unversioned: []
        case .newer(let number): [.newerVersion(number, newest: seen.rule.newest ?? 0)]
        case .unreadable(let fault): [.unknownVersion(fault)]
        case .known(let number):
            seen.rule.violations(of: json, version: number).prefix(Self.mostViolations).map { .invalid($0) }
        }
    }
}
