import Model

// What programs report of themselves.
extension Observer {
    /// Hears the program of a side.
    func hear(_ channel: LabChannel, of side: Side) {
        channels.append((side, channel))
    }

    /// The program of a side has ended. What it changed before is its own, what changes later is not.
    func programEnded(_ side: Side) {
        if sightings.evidence.programs[side].over == nil { ended.insert(side) }
    }

    /// No process of the program of that side is left.
    func programGone(_ side: Side) {
        if sightings.evidence.programs[side].gone == nil { sightings.evidence.programs[side].gone = now }
    }

    func programFailed(_ side: Side) { sightings.evidence.programs[side].hasFailed = true }

    /// The observer gets the calls of the programs at gates.
    func seesCalls() { sightings.evidence.seesCalls = true }

    /// Draws what the lab did to a program, or saw it do.
    func record(_ act: LabAct) { sightings.record(act, at: now) }

    /// The lines of all programs; then every document.
    func readAll() {
        readLines()
        lookAtAll()
    }

    /// What a program reported before it saved is read before the save is seen.
    func readLines() { for (side, channel) in channels { read(channel, of: side) } }

    private func read(_ channel: LabChannel, of side: Side) {
        for line in channel.lines() {
            guard case .known(let line) = line, line.document.map(isWatched) ?? true else {
                countUnknown(line, side)
                continue
            }
            if line == .done { done.insert(side) }
            // What the program did next may be there already: a content that is known needs no look.
            let isKnown =
                if case .read(let path, let digest) = line { sightings.hasHeld(path, side, digest) } else {
                    false
                }
            if !isKnown, let path = line.document { look(path, side, isHinted: true) }
            sightings.heard(line, from: side, at: now)
        }
    }

    private static let mostUnknownLines = 10

    /// The first different ones of each program are listed, and all are counted.
    private func countUnknown(_ line: LabChannel.Line, _ side: Side) {
        unknownLines[side] += 1
        if listedLines(of: side) < Self.mostUnknownLines { add(.unknownLine(side, line.text)) }
    }

    private func listedLines(of side: Side) -> Int {
        doubts.count { if case .unknownLine(side, _) = $0 { true } else { false } }
    }

    /// How many lines were unknown, where not each is listed.
    var unlistedLines: [ObservationDoubt] {
        Side.allCases.filter { unknownLines[$0] > listedLines(of: $0) }.map {
            .unknownLines($0, unknownLines[$0])
        }
    }
}
