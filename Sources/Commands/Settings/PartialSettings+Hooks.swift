import BridgeRuntime
import Doctor
import Glibc
import Hooks
import Model

extension PartialSettings {
    /// Refuses a hook that would never run.
    func checkHooks(_ bridge: BridgeSettings) throws(UsageError) {
        for (index, hook) in (hooks ?? []).enumerated() {
            if let refusal = Refusal(of: hook, in: bridge) {
                throw .idleHook(
                    refusal.error,
                    at: self.place(ofHook: index).map { refusal.place(in: $0).text }
                )
            }
        }
    }

    /// For `doctor`.
    ///
    /// - Parameter environment: names the directories of programs.
    func hookObservations(
        _ bridge: BridgeSettings,
        _ environment: [String: String]
    ) -> [HookObservation] {
        (hooks ?? []).enumerated().compactMap { place, hook in
            let position = self.place(ofHook: place)
            if let refusal = Refusal(of: hook, in: bridge) {
                let place = position.map { refusal.place(in: $0).place }
                return HookObservation(.refused(hook.name, refusal.error), at: place ?? .bridge)
            }
            return hook.foreseenFailure(environment).map {
                HookObservation(.failing(hook.name, $0), at: position?.action.place ?? .bridge)
            }
        }
    }

    private func place(ofHook number: Int) -> HookPlace? {
        hookPlaces.flatMap { number < $0.count ? $0[number] : nil }
    }

    /// Why nothing that a hook waits for can happen in a bridge.
    private struct Refusal {
        let error: BridgeError
        private let isOfKind: Bool

        init?(of hook: Hook, in bridge: BridgeSettings) {
            do throws(BridgeError) {
                if let kind = hook.kind { try checkKind(kind, isNamedBy: bridge.profile) }
            } catch {
                (self.error, isOfKind) = (error, true)
                return
            }
            do throws(BridgeError) {
                guard let document = hook.document else { return nil }
                guard let name = RelativePath(document) else {
                    throw .notADocument(document, .known(.noPath))
                }
                try bridge.checkName(name)
                return nil
            } catch {
                (self.error, isOfKind) = (error, false)
            }
        }

        func place(in hook: HookPlace) -> HookPlace.Position { isOfKind ? hook.kind : hook.document }
    }
}
