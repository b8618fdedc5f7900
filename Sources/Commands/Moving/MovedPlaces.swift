import BridgeRuntime
import Documents
import Model
import StoreReplica

/// Where the moved file is in each container, and which documents are in it.
struct MovedPlaces {
    var name: RelativePath
    var source: Location
    var target: Location
    var documents: [RelativePath]

    /// - Parameter name: A path, or a document whose stores are databases.
    init(_ name: RelativePath, from side: Side, _ settings: BridgeSettings) throws(MoveFault) {
        let layouts = BothSides { StoreLayout(settings.profile, on: $0, of: settings.stores[$0]) }
        let stored = BothSides { layouts[$0][name] }
        switch (stored.app, stored.group) {
        case (nil, nil), (.row, .row): break
        default: throw MoveFault(name: name, reason: .inStores)
        }
        let source = Location(side, stored[side]?.file ?? name)
        let target = Location(side.other, stored[side.other]?.file ?? name)
        (self.name, self.source, self.target) = (name, source, target)
        documents = [name] + (layouts[side].documents(in: source.path) ?? [])
    }
}

/// Why a file cannot be moved.
struct MoveFault: Error {
    var name: RelativePath
    var places: MovedPlaces?
    var reason: Reason

    enum Reason: Hashable {
        case move(ContainerMove.Fault)
        /// The document's stores are keys among others, or a database on one side only.
        case inStores
        /// The bridge would take the removal for a deletion.
        case syncs(RelativePath)
    }

    init(name: RelativePath, reason: Reason) { (self.name, self.reason) = (name, reason) }

    init(_ places: MovedPlaces, _ reason: Reason) {
        (name, self.places, self.reason) = (places.name, places, reason)
    }
}
