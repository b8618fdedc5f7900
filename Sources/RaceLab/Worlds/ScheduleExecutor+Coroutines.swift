// Several engines, each in the middle of its own call.
extension ScheduleExecutor {
    func coroutine(of lane: Int) -> Int { strandOfLane[lane] }

    func begin() {
        guard strandCount > 1 else { return }
        if coroutines.isEmpty { coroutines = (0..<strandCount).map { Coroutine(isCaller: $0 == 0) } }
        for number in 1..<strandCount {
            coroutines[number].start(then: coroutines[0]) { [unowned self] in play(on: number, chosen) }
        }
    }

    /// Steps of whoever is chosen, until nobody is any more.
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

    /// Lets another coroutine go on; returns when this one is chosen again, with who it is that was chosen.
    func handOver(_ lane: Int, from number: Int) -> Int? {
        chosen = lane
        coroutines[number].hand(over: coroutines[coroutine(of: lane)])
        return isOver ? nil : chosen
    }

    /// Every call that was stopped in the middle goes on undisturbed, and every coroutine comes to its end.
    func end() {
        isOver = true
        chosen = nil
        for coroutine in coroutines.dropFirst() where !coroutine.isDone {
            coroutines[0].hand(over: coroutine)
        }
    }
}
