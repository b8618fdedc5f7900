import Dispatch
import Synchronization

/// Threads that run schedules, each in a world of its own.
final class Workers: Sendable {
    private final class Worker: Sendable {
        let simulator: Mutex<Simulator>

        init(
            _ scenario: Scenario,
            _ backendKind: RaceBackendKind,
            _ isTimeUp: @escaping @Sendable () -> Bool
        ) {
            simulator = Mutex(Simulator(scenario, on: backendKind, isTimeUp: isTimeUp))
        }
    }

    private let workers: [Worker]
    /// How many elements to pass to `map` at once, so that no thread waits long for another.
    var lookahead: Int { workers.count == 1 ? 1 : workers.count * 4 }

    init(
        _ count: Int,
        _ scenario: Scenario,
        on backendKind: RaceBackendKind,
        isTimeUp: @escaping @Sendable () -> Bool
    ) {
        workers = (0..<max(1, count)).map { _ in Worker(scenario, backendKind, isTimeUp) }
    }

    /// The results of `body` for each element, in their order. Which thread runs which makes no difference.
    func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element],
        _ body: @escaping @Sendable (Element, inout Simulator) -> Result
    ) -> [Result] {
        let next = Atomic(0)
        let results = Mutex([Result?](repeating: nil, count: elements.count))
        DispatchQueue.concurrentPerform(iterations: min(workers.count, elements.count)) { number in
            workers[number].simulator.withLock { simulator in
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < elements.count else { return }
                    let result = body(elements[index], &simulator)
                    results.withLock { $0[index] = result }
                }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
