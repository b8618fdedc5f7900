/// One invertible step of a migration. Both ways are pure functions of the document: what one way has
/// to make up it marks as derived, and what the other way drops stays in the last agreed content, from
/// where `DocumentRule.translate` brings it back.
protocol Lens: Sendable {
    /// From the older version to the newer one.
    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value
    /// From the newer version to the older one.
    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value
    /// Where in the newer version a value stands that is at `place` in the older one.
    func newer(_ place: JSONPointer) -> JSONPointer
    /// The other way round.
    func older(_ place: JSONPointer) -> JSONPointer
    /// The same for what is known of documents of the older version.
    func shape(_ shape: inout Shape) throws(ShapeFault)
    /// What it does, in a few words.
    var words: String { get }
    /// On the way up.
    var effect: MigrationStep.Effect { get }
    /// Whether it has to know the profile's time zone.
    var needsZone: Bool { get }
}

extension Lens {
    func newer(_ place: JSONPointer) -> JSONPointer { place }
    func older(_ place: JSONPointer) -> JSONPointer { place }
    var needsZone: Bool { false }
    var effect: MigrationStep.Effect { .changes }
}

/// A lens, and which way it is gone through.
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

/// The document that lenses work on, and where in it they are.
struct LensWork {
    var draft: Draft
    /// The way to the value that the current lens is given: for errors, and to find its like in `example`.
    var place = JSONPointer.root
    /// The document as it was last agreed in the version that is being made: of several ways to say the
    /// same, and of several names, those that are in use there are taken.
    var example: JSON?
    var zone: TimeZoneRules?
    /// The steps that are still to come, the last one first, and where each is given its value: they tell
    /// where in `example` a value of now will stand.
    private var upcoming: [(step: LensStep, place: JSONPointer)] = []
    /// What cannot be said in the version that is being made.
    private(set) var losses: [Loss] = []

    init(_ document: JSON, example: JSON? = nil, zone: TimeZoneRules? = nil) {
        draft = Draft(document)
        self.example = example
        self.zone = zone
    }

    mutating func lose(_ token: [UInt8], _ reason: Loss.Reason) {
        guard losses.count < Self.mostLosses else { return }
        losses.append(Loss(pointer: place.appending(token).description, reason: reason))
    }

    private static let mostLosses = 1000

    /// Does something one level further in.
    mutating func inside<Result>(
        _ token: [UInt8],
        _ body: (inout LensWork) throws(DocumentError) -> Result
    ) throws(DocumentError) -> Result {
        place.tokens.append(token)
        defer { place.tokens.removeLast() }
        return try body(&self)
    }

    /// Goes through steps, one after the other.
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

    /// The node of the last agreed document for what is at `pointer` now.
    func exampleNode(at pointer: JSONPointer) -> Int? {
        guard let example else { return nil }
        var way = pointer
        for (step, place) in upcoming.reversed() where way.tokens.starts(with: place.tokens) {
            let inner = JSONPointer(tokens: Array(way.tokens.dropFirst(place.tokens.count)))
            way = place.appending(step.moved(inner))
        }
        return example.node(at: way)
    }

    /// An object that may be changed.
    mutating func object(_ value: Draft.Value) throws(DocumentError) -> Draft.Value {
        guard draft.kind(value) == .object else { throw mismatch(value, expected: .object) }
        return try draft.open(value)
    }

    /// An object or array that may be changed.
    mutating func container(_ value: Draft.Value) throws(DocumentError) -> Draft.Value {
        guard draft.kind(value) == .object || draft.kind(value) == .array else {
            throw mismatch(value, expected: .objectOrArray)
        }
        return try draft.open(value)
    }

    /// Opens the containers on the way from an opened one; `nil` where the way ends before.
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

    /// Opens a table, which is an object with a row for each of its keys.
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

    /// The place of a member in an opened object.
    func index(of key: [UInt8], in object: Draft.Value) -> Int? { draft.index(of: key, in: object) }

    func member(_ key: [UInt8], of object: Draft.Value) -> Draft.Value? {
        index(of: key, in: object).flatMap { draft.container(object)?.items[$0].value }
    }

    mutating func insert(_ value: Draft.Value, as key: [UInt8], at place: Int, in object: Draft.Value) {
        let item = Draft.Item(key: draft.makeKey(key), value: value, slot: nil)
        _ = draft.change(object) { $0.items.insert(item, at: Swift.min(place, $0.items.count)) }
    }

    mutating func replace(_ index: Int, with value: Draft.Value, in container: Draft.Value) {
        _ = draft.change(container) { $0.items[index].value = value }
    }

    /// Takes a member out, if it is there.
    @discardableResult
    mutating func remove(_ key: [UInt8], from object: Draft.Value) -> Draft.Item? {
        guard let index = index(of: key, in: object) else { return nil }
        return draft.change(object) { $0.items.remove(at: index) }
    }

    /// Has the last agreed document a member here?
    func isInExample(_ key: [UInt8]) -> Bool { exampleNode(at: place.appending(key)) != nil }

    /// Refuses to make a field that is there already: one of the two would be lost.
    func checkFree(_ key: [UInt8], in object: Draft.Value) throws(DocumentError) {
        guard let member = member(key, of: object) else { return }
        throw mismatch(member, expected: .nothing, at: key)
    }
}

/// A lens read backwards.
struct InverseLens: Lens {
    var lens: any Lens
    var words: String
    /// What the backward reading does to what is known.
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
