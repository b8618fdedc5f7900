package import Model

/// So many replaced files lie in the containers because the trash cannot take them, and why.
package struct TrashProblem: Fact {
    package var files: Int
    /// Of one of them.
    package var error: FileError

    package init(files: Int, error: FileError) {
        self.files = files
        self.error = error
    }
}
