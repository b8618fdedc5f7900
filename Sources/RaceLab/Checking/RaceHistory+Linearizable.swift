import Model

/// The programs' operations on a document are not linearizable, or it could not be decided whether they are.
public struct NotLinearizable: Error, CustomStringConvertible {
    /// The document's name.
    public let document: String
    /// Which read no order of the writes explains, in one sentence.
    public let description: String
}

extension RaceHistory {
    /// Throws unless each document behaves like one register: unless its reads and writes could have taken
    /// effect one after the other, each between its start and its end, with every read getting the latest
    /// content.
    ///
    /// Contents are compared as JSON. A bridge copies saves some time after they were made, so an app and a
    /// widget that use two containers are usually *not* linearizable: give one container for what a program
    /// may rely on, or check scenarios in which programs wait for each other.
    ///
    /// - Parameters:
    ///   - document: only this one; by default all.
    ///   - container: only operations in this container; by default those in both.
    /// - Throws: ``NotLinearizable``, also for more than 64 operations on a document.
    public func checkLinearizable(
        _ document: String? = nil,
        in container: Container? = nil
    ) throws(NotLinearizable) {
        let sides = container.map { [$0.side] } ?? Set(Side.allCases)
        for (number, path) in history.documents.enumerated()
        where document == nil || path.description == document {
            var check = RegisterCheck(history, document: number, sides: sides)
            switch check.result() {
            case .linearizable: break
            case .violation(let access, let instead):
                throw NotLinearizable(document: path.description, description: words(access, instead, path))
            case .undecided:
                let words = "there are too many operations on \(path) to decide whether they are linearizable"
                throw NotLinearizable(document: path.description, description: words)
            }
        }
    }

    private func words(_ read: RegisterCheck.Access, _ instead: [Int], _ path: RelativePath) -> String {
        let reader = history.lanes[read.lane].name
        let holds = instead.map { text($0) }.joined(separator: " or ")
        return "\(path) is not linearizable: \(reader) read \(text(read.value)) at step "
            + "\(read.last ?? read.first), where any order of the writes leaves \(holds)"
    }

    private static var mostText: Int { 200 }

    private func text(_ version: Int) -> String {
        if version == History.absent { return "nothing" }
        let text = String(decoding: history.versions[version].bytes, as: UTF8.self)
        return "`\(text.shortened(to: Self.mostText))`"
    }
}
