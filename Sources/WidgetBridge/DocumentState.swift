import BridgeRuntime
import Documents
import FoundationEssentials
import Model
import Presentation

/// What a widget shows of a typed document.
public enum DocumentState<Value: Sendable>: Sendable {
    /// The document is current.
    case fresh(Value)
    /// It is older than the profile's `stale` admits.
    case stale(Value)
    /// It says that something failed, or cannot be read: with the text to show, and the last good value of
    /// this loop.
    case error(String, last: Value?)
    /// There is no document, or it says that there is no data.
    case noData
}

extension DocumentState: Equatable where Value: Equatable {}

/// Decodes what is seen of a document.
actor StateReader<Value: Decodable & Sendable> {
    private let type: Value.Type
    private let decoder: JSONDecoder
    private var last: Value?
    /// The hash and the state of the last observation, which need not be delivered again.
    private var seen: (hash: String?, state: ShownDocument.State, text: String?)?

    init(_ type: Value.Type, _ decoder: JSONDecoder) { (self.type, self.decoder) = (type, decoder) }

    /// `nil` if it is the same as before.
    func state(_ sight: DocumentFollower.Sight) -> DocumentState<Value>? {
        switch sight {
        case .unreadable(let error, _), .unreachable(let error):
            return isNew(nil, .error, error.words) ? .error(error.words, last: last) : nil
        case .document(let stored, let shown, _):
            guard isNew(stored?.hash.description, shown.state, shown.text) else { return nil }
            return state(stored.map(Document.init), shown)
        }
    }

    private func isNew(_ hash: String?, _ state: ShownDocument.State, _ text: String?) -> Bool {
        if let seen, seen == (hash, state, text) { return false }
        seen = (hash, state, text)
        return true
    }

    private func state(_ document: Document?, _ shown: Shown) -> DocumentState<Value> {
        guard let document else { return .noData }
        switch shown.state {
        case .noData: return .noData
        case .error, .incompatible: return .error(shown.text ?? "", last: last)
        case .fresh, .stale:
            do throws(BridgeFailure) {
                let value = try decoded(type, document, decoder)
                last = value
                return shown.state == .fresh ? .fresh(value) : .stale(value)
            } catch {
                return .error(error.description, last: last)
            }
        }
    }
}
