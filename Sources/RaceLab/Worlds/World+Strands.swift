// Several engines, each in the middle of its own call.
extension World {
    func strand(of lane: Int) -> Int { strandOfLane[lane] }

    func begin() {
        let count = (strandOfLane.max() ?? 0) + 1
        guard count > 1 else { return }
        strands = (0..<count).map { _ in Strand() }
        for number in 1..<count {
            strands[number].start { [unowned self] in
                play(on: number, chosen)
                chosen = nil
                strands[number].isDone = true
                strands[0].resume()
            }
        }
    }

    /// Steps of whoever is chosen, until nobody is any more.
    func play(on number: Int, _ first: Int?) {
        var next = first
        while let lane = next {
            if isAgent(lane), strand(of: lane) != number {
                next = handOver(lane, from: number)
            } else {
                step(lane)
                next = self.next(isPrivate: false)
            }
        }
    }

    /// Lets another strand go on; returns when this one is chosen again, with who it is that was chosen.
    func handOver(_ lane: Int, from number: Int) -> Int? {
        chosen = lane
        strands[strand(of: lane)].resume()
        strands[number].wait()
        return isOver ? nil : chosen
    }

    /// Every call that was stopped in the middle goes on undisturbed, and every strand comes to its end.
    func end() {
        isOver = true
        chosen = nil
        for strand in strands.dropFirst() {
            if !strand.isDone {
                strand.resume()
                strands[0].wait()
            }
            strand.join()
        }
        strands = []
    }
}
