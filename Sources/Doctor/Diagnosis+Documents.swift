import BridgeRuntime
import Documents
import FileSystem
import Model

extension Diagnosis {
    /// So many documents with one problem are listed.
    static let mostAlike = 20

    static func documents(
        of container: ContainerObservation,
        _ side: Side,
        _ bridge: BridgeObservation
    ) -> [Finding] {
        let stores = bridge.stores.filter { $0.side == side }
        var found: [Problem: [Finding]] = [:]
        var ignored: [Finding] = []
        // A store is examined as such, even if it has the name of a document.
        let files = Set(stores.map(\.store.file))
        for document in container.documents where !files.contains(document.path.description) {
            if let store = stores.first(where: { $0.rule.path == document.path.description })?.store.file {
                let place = Finding.Place.container(side, document.path.description)
                ignored.append(Finding(.document(.keptInStore(store)), at: place))
                continue
            }
            guard let (problem, reason) = problem(of: document, limit: bridge.maxDocument) else { continue }
            let place = Finding.Place.container(side, document.path.description)
            found[problem, default: []].append(Finding(.document(reason), at: place))
        }
        return ignored
            + Problem.allCases.flatMap { problem -> [Finding] in
                let path = bridge.paths.containers[side].flatMap(\.self)
                return first(of: found[problem] ?? [], at: path.map(Finding.Place.path) ?? .bridge)
            }
    }

    /// The first findings of one kind, and the number of the others.
    private static func first(of all: [Finding], at place: Finding.Place) -> [Finding] {
        guard all.count > mostAlike, case .document(let like)? = all.first?.reason else { return all }
        return all.prefix(mostAlike) + [
            Finding(.document(.more(all.count - mostAlike, like: like)), at: place)
        ]
    }

    /// The documents that the bridge holds, without those of which more is known.
    static func held(_ bridge: BridgeObservation, besides places: Set<Finding.Place>) -> [Finding] {
        let known = Set(places.compactMap(\.file))
        let documents = (bridge.agent.status?.documents ?? []).filter { $0.state == .held }
        let all = documents.compactMap { document -> Finding? in
            let place = document.side.map { Finding.Place.container($0, document.name) }
            let stores = bridge.stores.filter { $0.rule.path == document.name }.map {
                ($0.side, $0.store.file)
            }
            let files = Side.allCases.map { ($0, document.name) } + stores
            let isKnown = files.contains { side, file in
                (document.side ?? side) == side && known.contains(Finding.Place.container(side, file))
            }
            let finding = Finding(.document(.held(document.reason)), at: place ?? .document(document.name))
            return isKnown ? nil : finding
        }
        return first(of: all, at: .bridge)
    }

    enum Problem: CaseIterable { case kind, mount, size, rights, exposure }

    static func problem(
        of document: DocumentObservation,
        limit: Int
    ) -> (Problem, Finding.Document)? {
        if document.kind != .regular { return (.kind, .notRegular(document.kind)) }
        if document.isMounted { return (.mount, .mounted) }
        if document.size > limit { return (.size, .tooLarge(document.size, limit: limit)) }
        if let limit = document.limit, document.size > limit {
            return (.size, .assetTooLarge(document.size, limit: limit))
        }
        if !document.isReadable { return (.rights, .unreadable) }
        return document.mode & 0o002 == 0 ? nil : (.exposure, .exposed(document.mode))
    }
}

extension Finding.Place {
    /// The file of a container, without the key in it.
    fileprivate var file: Finding.Place? {
        if case .container(let side, let file, _) = self { .container(side, file) } else { nil }
    }
}
