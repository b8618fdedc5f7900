import Testing

@testable import Commands
@testable import RaceLab

@Suite struct ControlTextTests {
    @Test(arguments: [(1, "1 system call on the containers"), (2, "2 system calls on the containers")])
    func `The calls of a race are counted in words that fit`(_ count: Int, _ words: String) {
        var control = ControlReport()
        control.kind = .calls
        control.steps = Array(repeating: "app start", count: count)
        let observation = ObservationReport(
            history: History(),
            judgement: Judgement(),
            latencies: Latencies(),
            duration: .zero,
            changes: 1,
            looks: 1,
            noticed: [],
            unseenReloads: 0
        )
        let report = ProcessReport(seed: 7, observation: observation, moves: [], gates: [], control: control)
        let text = ControlText(report: report, clean: nil, wrapped: { label, text in [label + text] })
        #expect(text.lines.contains { $0.contains(words) }, "\(text.lines)")
    }
}
