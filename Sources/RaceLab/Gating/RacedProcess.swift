/// A process of a race, with those that it descends from.
package struct RacedProcess: Sendable, Hashable {
    /// Its number, then its parent's, and so on.
    let line: [Int32]

    init(_ line: [Int32]) { self.line = line }

    /// Whether it is that process or descends from it.
    func isBeneath(_ process: Int32) -> Bool { line.contains(process) }

    /// The nearest process that both are, or descend from.
    func commonAncestor(with other: RacedProcess) -> Int32? { line.first(where: other.isBeneath) }

    /// The child of `ancestor` that it is, or descends from; `nil` if it is the ancestor itself. Of a process
    /// without that ancestor, the first one of its line.
    func branch(beneath ancestor: Int32?) -> Int32? {
        guard let index = ancestor.flatMap(line.firstIndex) else { return line.last }
        return index == 0 ? nil : line[index - 1]
    }
}
