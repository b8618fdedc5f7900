/// The buffer through which Android's own code reads the rows of a database.
package enum AndroidWindow {
    /// A row must fit into 2 MiB, with its key and the buffer's own indexes.
    package static let mostBytes = (2 << 20) - 4_096
}
