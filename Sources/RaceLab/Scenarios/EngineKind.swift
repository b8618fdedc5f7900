/// What carries documents from side to side: the project's engine, or that engine with one mistake that
/// bridges are known to make.
package enum EngineKind: String, CaseIterable, Sendable {
    case widgetbridge
    /// Takes a file as unchanged if its size and its time in whole seconds are as before.
    case statRecheck = "stat-recheck"
}
