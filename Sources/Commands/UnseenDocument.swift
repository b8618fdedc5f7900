import BridgeRuntime
import Documents
import Model

/// The name of a document that no bridge has or had. It is no error, because the document may come later; but
/// often the name is mistyped.
struct UnseenDocument: Hashable {
    var name: RelativePath
    /// The documents that there are.
    var known: [String]

    /// - Parameter hint: builds commands for the bridge.
    func prose(_ hint: CommandHint) -> ErrorProse {
        let advice = "\(hint("status")) lists those there are"
        var prose = ErrorProse("the bridge has never seen this document", at: "\(name)", advice, .done)
        prose.suggestion = nearestWord(to: name.description, among: known)
        return prose
    }
}

extension BridgeAccess {
    /// `false` also if it does not answer.
    func hasNeverSeen(_ name: RelativePath) async -> Bool {
        do throws(BridgeError) {
            _ = try await story(of: name)
            return false
        } catch .noDocument {
            return true
        } catch {
            return false
        }
    }

    /// `nil` if the bridge has the document, or had it.
    func unseen(_ name: RelativePath) async -> UnseenDocument? {
        guard await hasNeverSeen(name) else { return nil }
        return UnseenDocument(name: name, known: (try? await status().documents.map(\.name)) ?? [])
    }
}
