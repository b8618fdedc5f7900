// Several engines, each paused in a call of its own.
extension ScheduleExecutor {
    func coroutine(of lane: Int) -> Int { strandOfLane[lane] }

    func begin() {
        guard strandCount > 1 else { return }
        if coroutines.isEmpty { coroutines = (0..<strandCount).map { Coroutine(isCaller: $0 == 0) } }
        for number in 1..<strandCount {
            coroutines[number].start(then: coroutines[0]) { [unowned self] in play(on: number, chosen) }
        }
    }

    /// Takes the steps of chosen actors until none is chosen.
    func play(on number: Int, _ first: Int?) {
        var next = first
        while let lane = next {
            if isAgent(lane), coroutine(of: lane) != number {
                next = handOver(lane, from: number)
            } else {
                step(lane)
                next = self.next(isPrivate: false)
            }
        }
    }

    /// Switches to another coroutine; returns the chosen actor when this one is continued.
    func handOver(_ lane: Int, from number: Int) -> Int? {
        chosen = lane
        coroutines[number].hand(over: coroutines[coroutine(of: lane)])
        return isOver ? nil : chosen
    }

    /// Completes all paused calls undisturbed, and ends all coroutines.
    func end() {
        isOver = true
        chosen = nil
        for coroutine in coroutines.dropFirst() where !coroutine.isDone {
            coroutines[0].hand(over: coroutine)
        }
    }
}
