import Model
import StateStore

/// The wording in the status, HTTP responses and on the command line.
extension ViewProblem {
    package var text: String {
        switch self {
        case .unwritable(let error): "a view cannot be written: \(error.what)"
        case .taken(let view):
            "its view \(view): a file that the bridge did not write has that name; "
                + "move it away, or remove the view from the profile"
        case .notRegular(let view):
            "its view \(view): something that is not a file has that name; move it away"
        case .unrecorded(let view, let error):
            "its view \(view): the journal cannot be written: \(error.reason)"
        case .unmakeable(let view, let problem): "its view \(view): \(problem.text)"
        }
    }
}
