package import Model

/// The number of displaced files that are still in the containers because the trash rejects them, and why.
package struct TrashProblem: Fact {
    package var files: Int
    /// The error of one of them.
    package var error: FileError

    package init(files: Int, error: FileError) {
        self.files = files
        self.error = error
    }
}
