/// The largest scenario that is read.
package enum ScenarioLimits {
    /// The choices of a step are bits of one word.
    package static let actors = 16
    package static let documents = 16
    /// Of each part of a document's path, in bytes: beside it stands a temporary file, `NAME.tmp`.
    package static let name = 251
    /// Of one document, in bytes.
    package static let padding = 1 << 20
    /// Of all actors together, and of one entry.
    package static let operations = 10_000
    /// All contents that the programs of one run may write, in bytes.
    package static let contents = 64 << 20
    /// All waits of a scenario together are a time that the clock can count.
    package static let wait = Duration.seconds(24 * 60 * 60)
    package static let grain = Duration.seconds(60 * 60)
    /// File operations, of which one fails.
    package static let faults = 1_000_000
}
