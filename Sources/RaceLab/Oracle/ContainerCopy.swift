import Glibc
import Model

/// A copy of both containers' documents, which follows a history step by step.
final class ContainerCopy {
    let containers: BothSides<String>
    private let tree: RealTree
    private let history: History
    private var holding: [BothSides<Int>]

    /// As they were at the start; `nil` if the copy cannot be made.
    init?(_ history: History) {
        guard let tree = try? RealTree() else { return nil }
        self.tree = tree
        self.history = history
        holding = history.start
        containers = BothSides { "\(tree.path)/\($0.rawValue)" }
        for side in Side.allCases {
            unsafe mkdir(containers[side], 0o755)
            for document in history.documents.indices {
                guard put(history.start[document][side], document, side) else { return nil }
            }
        }
    }

    /// - Returns: `false` if the change cannot be copied.
    func follow(_ step: Step) -> Bool {
        guard let document = step.document, let side = step.side, let version = step.version else {
            return true
        }
        return put(version, document, side)
    }

    /// The documents that somebody else has changed in it.
    var changed: [Location] {
        history.documents.indices.flatMap { document in
            Side.allCases.filter { side in
                let version = holding[document][side]
                let bytes = version == History.absent ? nil : history.versions[version].bytes
                return RealTree.read(path(document, side)) != bytes
            }
            .map { Location($0, history.documents[document]) }
        }
    }

    private func path(_ document: Int, _ side: Side) -> String {
        "\(containers[side])/\(history.documents[document])"
    }

    private func put(_ version: Int, _ document: Int, _ side: Side) -> Bool {
        let path = path(document, side)
        holding[document][side] = version
        guard version != History.absent else { return unsafe unlink(path) == 0 || errno == ENOENT }
        for index in path.indices.dropFirst(containers[side].count + 1) where path[index] == "/" {
            unsafe mkdir(String(path[..<index]), 0o755)
        }
        return RealTree.write(history.versions[version].bytes, to: path)
    }
}
