/// The rows of a table in the document that was last agreed in the version that is being made.
struct AgreedRows {
    let example: JSON
    /// By name.
    let nodes: [[UInt8]: Int]
    /// The place of the table in the document that is being made.
    private let table: JSONPointer

    /// `nil` if nothing was agreed, or if there is no such table.
    init?(of table: JSONPointer, _ work: LensWork) {
        guard work.isExampleAgreed, let example = work.example,
            let node = work.exampleNode(at: table), example.kind(node) == .object
        else { return nil }
        self.table = table
        self.example = example
        nodes = Dictionary(
            example.members(of: node).map { (example.string($0.key), $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The node in a column of a row, which a later lens may have given another name.
    func cell(_ column: [UInt8], of name: [UInt8], _ work: LensWork) -> Int? {
        let row = work.wayInExample(to: table.appending(name))
        let cell = work.wayInExample(to: table.appending(name).appending(column))
        guard let node = nodes[name], cell.tokens.starts(with: row.tokens) else { return nil }
        return example.node(
            at: JSONPointer(tokens: Array(cell.tokens.dropFirst(row.tokens.count))),
            from: node
        )
    }

    /// The names of the rows by their ids, as texts, where the two differ.
    func names(byID column: [UInt8], _ work: LensWork) -> [[UInt8]: [UInt8]] {
        var names: [[UInt8]: [UInt8]] = [:]
        for (name, _) in nodes.sorted(by: { $0.value < $1.value }) {
            guard let cell = cell(column, of: name, work) else { continue }
            let id = example.kind(cell) == .string ? example.string(cell) : example.slice(cell)
            if id != name, names[id] == nil { names[id] = name }
        }
        return names
    }
}
