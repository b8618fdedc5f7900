package import Documents

extension ProcessReport {
    package var json: JSONText {
        [
            "format": JSONText(1),
            "seed": JSONText(String(seed)),
            "moves": JSONText(moves.map { JSONText($0.text) }),
            "gates": JSONText(gates.map { JSONText($0) }),
            "observation": observation.json,
        ]
    }

    /// `app 2, widget 1, app 1`: the programs, with how many gates each passed in a row.
    package var gateWords: String {
        var schedule = Schedule()
        let names = Array(Set(gates)).sorted()
        for name in gates { schedule.append(names.firstIndex(of: name) ?? 0) }
        return schedule.segments.map { "\(names[$0.lane]) \($0.count)" }.joined(separator: ", ")
    }
}
