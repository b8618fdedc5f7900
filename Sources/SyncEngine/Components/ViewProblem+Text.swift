import Model
import StateStore

/// Status, the answers over HTTP and the command line say it in the same words.
extension ViewProblem {
    package var text: String {
        switch self {
        case .unwritable(let error): "a view cannot be written: \(error.what)"
        case .taken(let view):
            "its view \(view): a file that is not the bridge's stands there; "
                + "move it away, or leave the view out of the profile"
        case .notRegular(let view): "its view \(view): what stands there is no file; move it away"
        case .unrecorded(let view, let error):
            "its view \(view): the journal cannot be written: \(error.reason)"
        case .unmakeable(let view, let problem): "its view \(view): \(problem.text)"
        }
    }
}
