/// A widget that a person has placed, with slots of its own.
package struct PlacedWidget: Sendable, Hashable, Codable {
    package var family: String
    /// When it was placed, in milliseconds since 1970.
    package var at: Int64
    var slots = SlotWindow()
}
