/// Finds stores that cannot be right.
struct StoreLint {
    /// Where one side has a document on one platform.
    private struct Place {
        var rule: DocumentRule
        var platform: StorePlatform
        var side: DocumentView.Container
        /// `nil` if the document is a JSON file of its own name.
        var store: StoreRule?

        var file: String { store?.file ?? rule.path }
        var kind: StoreFileKind { store?.fileKind ?? .json }
        /// As in the file, without keys that the format adds.
        var keys: [String] { store?.keys.map { (store?.prefix ?? "") + $0 } ?? [] }
        var words: String { "\(platform.rawValue) \(side.rawValue)" }

        func finding(_ reason: LintFinding.StoreFault, key: String? = nil) -> LintFinding {
            let place = words + (key.map { " \($0)" } ?? "")
            return LintFinding(document: rule.path, place: place, reason: .store(reason))
        }
    }

    private let places: [Place]

    init(_ documents: [DocumentRule]) {
        var places: [Place] = []
        for platform in StorePlatform.allCases where documents.contains(where: { $0.stores[platform] != nil })
        {
            for side in DocumentView.Container.allCases {
                places += documents.map {
                    Place(rule: $0, platform: platform, side: side, store: $0.stores[platform]?[side])
                }
            }
        }
        self.places = places
    }

    func findings() -> [LintFinding] {
        var findings: [LintFinding] = []
        var earlier: [String: [Place]] = [:]
        for place in places {
            let file = "\(place.words) \(place.file)"
            for other in earlier[file] ?? [] { findings += clashes(place, other) }
            for field in place.store?.fields ?? [] { findings += misfits(field, place) }
            earlier[file, default: []].append(place)
        }
        return findings
    }

    /// Two documents in one file.
    private func clashes(_ place: Place, _ other: Place) -> [LintFinding] {
        let document = other.rule.path
        guard place.kind == other.kind else {
            let kinds = (place.kind, other.kind)
            return [place.finding(.twoFormats(file: place.file, kinds.0, kinds.1, document: document))]
        }
        if place.kind == .json { return [place.finding(.sharedFile(place.file, document: document))] }
        if let (one, two) = place.store.flatMap({ one in other.store.map { (one, $0) } }) {
            if one.format == two.format, one.format == .homeWidget, one.hasMarkers != two.hasMarkers {
                return [place.finding(.twoMarkers(file: place.file, document: document))]
            }
            if one.table != two.table { return [] }
        }
        let shared = place.keys.filter(other.keys.contains)
        return shared.map { place.finding(.sharedKey($0, document: document)) }
    }

    /// A field that no version has, or whose values the type cannot represent.
    private func misfits(_ field: StoreField, _ place: Place) -> [LintFinding] {
        guard let store = place.store else { return [] }
        var isKnown = place.rule.versions.isEmpty
        var findings: [LintFinding] = []
        for version in place.rule.versions {
            let pointer = store.start[version.number].appending(field.pointer)
            var shape = version.schema.map { Shape($0) } ?? .any
            var inner = Shape.any
            do throws(ShapeFault) {
                try shape.change(at: pointer.tokens[...]) { inner = $0 }
            } catch {
                continue
            }
            isKnown = true
            guard let types = inner.types?.subtracting(.null), !types.isSubset(of: field.documentTypes) else {
                continue
            }
            let fault = LintFinding.StoreFault.unfitType(
                pointer,
                inner.kind,
                field.type,
                version: version.number
            )
            findings.append(place.finding(fault, key: field.key))
        }
        return isKnown ? findings : [place.finding(.unknownField(field.pointer), key: field.key)]
    }
}

extension StoreField {
    /// What the value may be in the document.
    fileprivate var documentTypes: SchemaTypes {
        if let times {
            return times.document.reduce(into: []) {
                $0.formUnion($1.isString ? .string : [.number, .integer])
            }
        }
        return switch type {
        case .string: .string
        case .bool: .boolean
        case .integer, .int32: .integer
        case .real, .float, .date: [.number, .integer]
        case .strings, .array: .array
        case .dictionary: .object
        }
    }
}
