import Documents
import Model

/// The contents of an observed history as sets of values, each worked out once.
final class ContentValues {
    private struct Key: Hashable {
        var document: Int
        var version: Int
    }

    private let history: History
    private let rule: (Int) -> DocumentRule?
    private var known: [Key: Set<JSONLeaf>] = [:]
    /// One number for all contents of a document with the same values.
    private var numbers: [Key: Int] = [:]
    private var numbered: [[Set<JSONLeaf>: Int]]
    private lazy var firsts = firstHoldings()
    private lazy var firstLeaves = firstLeavesHeld()
    /// The oldest version of each document, which all contents are compared in.
    private var oldest: [Int: Int?] = [:]

    /// Larger documents are compared as a whole.
    private static let mostLeaves = 10_000

    init(_ history: History, rule: @escaping (_ document: Int) -> DocumentRule? = { _ in nil }) {
        self.history = history
        self.rule = rule
        numbered = history.documents.map { _ in [:] }
    }

    /// None for an absent document; one that cannot be read, or is too large, has one value.
    func leaves(_ document: Int, _ version: Int) -> Set<JSONLeaf> {
        let key = Key(document: document, version: version)
        if let leaves = known[key] { return leaves }
        let leaves = version == History.absent ? [] : parsed(document, history.versions[version].bytes)
        known[key] = leaves
        return leaves
    }

    /// The same for a content that is none of the history's.
    func parsed(_ document: Int, _ bytes: [UInt8]) -> Set<JSONLeaf> {
        let leaves = translated(document, bytes).flatMap { JSONLeaf.all(of: $0, most: Self.mostLeaves) }
        return leaves ?? [
            JSONLeaf(place: "", value: UInt64(truncatingIfNeeded: bytes.hashValue), isListed: false)
        ]
    }

    func isSame(_ document: Int, _ one: Int, _ other: Int) -> Bool {
        one == other || number(document, one) == number(document, other)
    }

    private func number(_ document: Int, _ version: Int) -> Int {
        if version == History.absent { return version }
        let key = Key(document: document, version: version)
        if let number = numbers[key] { return number }
        let leaves = leaves(document, version)
        let number = numbered[document][leaves] ?? version
        numbered[document][leaves] = number
        numbers[key] = number
        return number
    }

    /// Whether a side has had the same values before that step.
    func hasHeld(_ document: Int, _ side: Side, _ version: Int, before step: Int) -> Bool {
        firsts[document][side][number(document, version)].map { $0 < step } ?? false
    }

    /// Whether a side has had that value before that step.
    func hasHeld(_ document: Int, _ leaf: JSONLeaf, before step: Int) -> Bool {
        firstLeaves[document][leaf].map { $0 < step } ?? false
    }

    /// The first steps at which either side had those values; -1 is the start.
    private func firstLeavesHeld() -> [[JSONLeaf: Int]] {
        var firsts = history.start.enumerated().map { document, start in
            let leaves = leaves(document, start.app).union(leaves(document, start.group))
            return Dictionary(uniqueKeysWithValues: leaves.map { ($0, -1) })
        }
        for (step, change) in history.steps.enumerated() where change.what == .changed {
            guard let document = change.document, let version = change.version else { continue }
            for leaf in leaves(document, version) { firsts[document][leaf] = firsts[document][leaf] ?? step }
        }
        return firsts
    }

    /// The first steps at which the sides had those values, by their number; -1 is the start.
    private func firstHoldings() -> [BothSides<[Int: Int]>] {
        var firsts = history.start.enumerated().map { document, start in
            BothSides { [number(document, start[$0]): -1] }
        }
        for (step, change) in history.steps.enumerated() where change.what == .changed {
            guard let document = change.document, let side = change.side, let version = change.version else {
                continue
            }
            let number = number(document, version)
            firsts[document][side][number] = firsts[document][side][number] ?? step
        }
        return firsts
    }

    func isWhole(_ version: Int) -> Bool { version != History.absent && history.versions[version].isReadable }

    private func translated(_ document: Int, _ bytes: [UInt8]) -> JSON? {
        guard let json = try? JSON(parsing: bytes) else { return nil }
        guard let rule = rule(document), case .known(let version) = rule.version(of: json),
            let oldest = oldest(document, rule), oldest < version
        else { return json }
        return try? rule.translate(json, from: version, to: oldest, agreed: nil)
    }

    private func oldest(_ document: Int, _ rule: DocumentRule) -> Int? {
        if let found = oldest[document] { return found }
        let start = Side.allCases.map { history.start[document][$0] }
        let changed = history.steps.filter { $0.document == document && $0.what == .changed }
        let versions = Set(start + changed.compactMap(\.version)).filter(isWhole)
        let numbers = versions.compactMap { version -> Int? in
            guard let json = try? JSON(parsing: history.versions[version].bytes),
                case .known(let number) = rule.version(of: json)
            else { return nil }
            return number
        }
        oldest[document] = .some(numbers.min())
        return numbers.min()
    }
}
