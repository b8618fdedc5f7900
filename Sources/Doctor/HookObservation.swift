/// What is wrong with a hook of the configuration, whether or not an agent runs it.
package struct HookObservation: Sendable, Hashable {
    package var problem: Finding.Hook
    package var place: Finding.Place

    package init(_ problem: Finding.Hook, at place: Finding.Place) {
        (self.problem, self.place) = (problem, place)
    }
}
