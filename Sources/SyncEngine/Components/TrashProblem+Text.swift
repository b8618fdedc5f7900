import Model

/// The wording in the log and in `status`.
extension TrashProblem {
    package var text: String {
        let count = files == 1 ? "1 replaced file" : "\(files) replaced files"
        return "\(count) cannot be moved to the trash: \(error.what)"
    }
}
