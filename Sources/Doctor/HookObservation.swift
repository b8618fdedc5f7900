package import BridgeRuntime
package import Hooks

/// A hook of the configuration, whether or not an agent runs it.
package struct HookObservation: Sendable, Hashable {
    package var name: String
    package var position: Finding.Place?
    /// Why an agent does not start with it.
    package var refusal: BridgeError?
    /// Why it would fail.
    package var failure: HookFailure?

    package init(_ name: String) { self.name = name }
}
