/// One invertible step of a migration.
///
/// Both directions are pure functions of the document. What a direction has to make up is marked as
/// derived. What it drops stays in the base, from which `DocumentRule.translate` restores it.
protocol Lens: Sendable {
    /// Converts a value of the older version into one of the newer version.
    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value
    /// Converts a value of the newer version into one of the older version.
    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value
    /// The path in the newer version of the value at `place` in the older one.
    func newer(_ place: JSONPointer) -> JSONPointer
    /// The path in the older version of the value at `place` in the newer one.
    func older(_ place: JSONPointer) -> JSONPointer
    /// Changes the shape of documents of the older version into that of the newer one.
    func shape(_ shape: inout Shape) throws(ShapeFault)
    /// A short description, as `migrate plan` shows it.
    var words: String { get }
    /// How it changes the fields, from the older version to the newer one.
    var effect: MigrationStep.Effect { get }
    /// Whether it needs the profile's time zone.
    var needsZone: Bool { get }
}

extension Lens {
    func newer(_ place: JSONPointer) -> JSONPointer { place }
    func older(_ place: JSONPointer) -> JSONPointer { place }
    var needsZone: Bool { false }
    var effect: MigrationStep.Effect { .changes }
}

/// A lens and its direction.
struct LensStep: Sendable {
    var lens: any Lens
    var isUp: Bool

    func run(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try isUp ? lens.up(value, &work) : lens.down(value, &work)
    }

    var shown: MigrationStep {
        MigrationStep(
            words: isUp ? lens.words : "take back: \(lens.words)",
            effect: isUp ? lens.effect : lens.effect.inverse
        )
    }

    func moved(_ place: JSONPointer) -> JSONPointer { isUp ? lens.newer(place) : lens.older(place) }
}

/// The document that lenses work on, and the path at which the current lens works.
struct LensWork {
    var draft: Draft
    /// The path of the value that the current lens works on, for errors and to find the same value in
    /// `example`.
    var place = JSONPointer.root
    /// The base in the version that is being made. Where a value has several representations or names, the
    /// ones that it uses are taken.
    var example: JSON?
    /// Whether `example` was agreed with the very document that is being translated: then it also decides
    /// what that document does not say, such as the numbers that give an order.
    var isExampleAgreed: Bool
    var zone: TimeZoneRules?
    /// The index at which the document has the field of its version among the others.
    var versionIndex = 0
    /// The steps that follow, the last one first, each with the path at which it works. With them, the path
    /// that a value will have in `example` is computed.
    private var upcoming: [(step: LensStep, place: JSONPointer)] = []
    /// Fields that the target version cannot represent.
    private(set) var losses: [Loss] = []

    init(
        _ document: JSON,
        example: JSON? = nil,
        isExampleAgreed: Bool = false,
        zone: TimeZoneRules? = nil
    ) {
        draft = Draft(document)
        self.example = example
        self.isExampleAgreed = isExampleAgreed
        self.zone = zone
    }

    mutating func lose(_ token: [UInt8], _ reason: Loss.Reason) {
        guard losses.count < Self.mostLosses else { return }
        losses.append(Loss(pointer: place.appending(token).description, reason: reason))
    }

    private static let mostLosses = 1000

    /// Works on a member or element of the current value.
    mutating func inside<Result>(
        _ token: [UInt8],
        _ body: (inout LensWork) throws(DocumentError) -> Result
    ) throws(DocumentError) -> Result {
        place.tokens.append(token)
        defer { place.tokens.removeLast() }
        return try body(&self)
    }

    /// Applies steps in order.
    mutating func run(
        _ steps: [LensStep],
        on value: Draft.Value
    ) throws(DocumentError) -> Draft.Value {
        for step in steps.reversed() { upcoming.append((step, place)) }
        var value = value
        for step in steps {
            upcoming.removeLast()
            value = try step.run(value, &self)
        }
        return value
    }

    /// The node of `example` for the value that is now at `pointer`.
    func exampleNode(at pointer: JSONPointer) -> Int? { example?.node(at: wayInExample(to: pointer)) }

    /// The path that the value which is now at `pointer` has in `example`.
    func wayInExample(to pointer: JSONPointer) -> JSONPointer {
        var way = pointer
        for (step, place) in upcoming.reversed() where way.tokens.starts(with: place.tokens) {
            let inner = JSONPointer(tokens: Array(way.tokens.dropFirst(place.tokens.count)))
            way = place.appending(step.moved(inner))
        }
        return way
    }

    /// An object, opened for changes.
    mutating func object(_ value: Draft.Value) throws(DocumentError) -> Draft.Value {
        guard draft.kind(value) == .object else { throw mismatch(value, expected: .object) }
        return try draft.open(value)
    }

    /// An object or array, opened for changes.
    mutating func container(_ value: Draft.Value) throws(DocumentError) -> Draft.Value {
        guard draft.kind(value) == .object || draft.kind(value) == .array else {
            throw mismatch(value, expected: .objectOrArray)
        }
        return try draft.open(value)
    }

    /// Opens each container on the path from an opened one; `nil` if the path does not exist.
    mutating func open(
        _ pointer: JSONPointer,
        in opened: Draft.Value
    ) throws(DocumentError) -> Draft.Value? {
        var value = opened
        for token in pointer.tokens {
            guard let index = index(of: token, in: value), let member = member(token, of: value),
                draft.kind(member) == .object || draft.kind(member) == .array
            else { return nil }
            let opened = try draft.open(member)
            replace(index, with: opened, in: value)
            value = opened
        }
        return value
    }

    /// Opens a table: an object with a row for each of its keys.
    mutating func openTable(
        _ pointer: JSONPointer,
        in opened: Draft.Value
    ) throws(DocumentError) -> Draft.Value? {
        guard let table = try open(pointer, in: opened) else { return nil }
        guard draft.kind(table) == .object else { throw mismatch(table, expected: .table) }
        return table
    }

    /// Opens a row of an opened table.
    mutating func openRow(_ index: Int, of table: Draft.Value) throws(DocumentError) -> Draft.Value? {
        guard let member = draft.container(table)?.items[index].value else { return nil }
        let row = try object(member)
        replace(index, with: row, in: table)
        return row
    }

    func mismatch(
        _ value: Draft.Value,
        expected: DocumentError.Expected,
        at token: [UInt8]? = nil
    ) -> DocumentError {
        .mismatch(
            pointer: (token.map { place.appending($0) } ?? place).description,
            position: draft.position(value),
            expected: expected,
            found: shown(value)
        )
    }

    private func shown(_ value: Draft.Value) -> DocumentError.Found {
        let text = draft.text(value)
        guard draft.container(value) == nil, draft.kind(value) != .object, draft.kind(value) != .array,
            text.count <= 40
        else { return .kind(draft.kind(value)) }
        return .scalar(String(decoding: text, as: UTF8.self))
    }

    /// The index of a member in an opened object.
    func index(of key: [UInt8], in object: Draft.Value) -> Int? { draft.index(of: key, in: object) }

    func member(_ key: [UInt8], of object: Draft.Value) -> Draft.Value? {
        index(of: key, in: object).flatMap { draft.container(object)?.items[$0].value }
    }

    mutating func insert(_ value: Draft.Value, as key: [UInt8], at index: Int, in object: Draft.Value) {
        let item = Draft.Item(key: draft.makeKey(key), value: value, slot: nil)
        _ = draft.change(object) { $0.items.insert(item, at: Swift.min(index, $0.items.count)) }
    }

    mutating func replace(_ index: Int, with value: Draft.Value, in container: Draft.Value) {
        _ = draft.change(container) { $0.items[index].value = value }
    }

    /// Removes a member, if it exists.
    @discardableResult
    mutating func remove(_ key: [UInt8], from object: Draft.Value) -> Draft.Item? {
        guard let index = index(of: key, in: object) else { return nil }
        return draft.change(object) { $0.items.remove(at: index) }
    }

    /// Whether the base has a member with this key here.
    func isInExample(_ key: [UInt8]) -> Bool { exampleNode(at: place.appending(key)) != nil }

    /// Throws if the field already exists: creating it would lose one of the two values.
    func checkFree(_ key: [UInt8], in object: Draft.Value) throws(DocumentError) {
        guard let member = member(key, of: object) else { return }
        throw mismatch(member, expected: .nothing, at: key)
    }
}

/// A lens used in reverse.
struct InverseLens: Lens {
    var lens: any Lens
    var words: String
    /// Changes the shape of documents as the reverse direction does.
    var inverseShape: @Sendable (inout Shape) throws(ShapeFault) -> Void

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try lens.down(value, &work)
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try lens.up(value, &work)
    }

    func newer(_ place: JSONPointer) -> JSONPointer { lens.older(place) }
    func older(_ place: JSONPointer) -> JSONPointer { lens.newer(place) }

    func shape(_ shape: inout Shape) throws(ShapeFault) { try inverseShape(&shape) }
}
