import Documents
import Model
import StateStore

extension DocumentRule {
    /// The content of a view: the bytes of a side with its version, or else the newest content translated to
    /// it.
    func text(of view: DocumentView, _ agreed: Plan.Agreed) -> Result<[UInt8], Refusal> {
        for side in Side.allCases where agreed.versions[side] == view.version {
            return .success(agreed.content.bytes(on: side))
        }
        guard let newest, newest != view.version else { return .success(agreed.content.newest) }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: agreed.content.newest, limits: .unbounded)
        } catch {
            return .failure(Refusal(.untranslatableBase(error), view))
        }
        do throws(DocumentError) {
            let translated = try translate(json, from: newest, to: view.version, agreed: nil)
            if let violation = breach(of: translated, version: view.version) {
                return .failure(Refusal(.unfit(version: view.version, violation), view))
            }
            return .success(translated.bytes)
        } catch {
            return .failure(Refusal(.untranslatable(error), view))
        }
    }
}

extension Refusal {
    fileprivate init(_ problem: Problem, _ view: DocumentView) {
        self.init(side: Side(view.container), problem: problem)
    }
}
