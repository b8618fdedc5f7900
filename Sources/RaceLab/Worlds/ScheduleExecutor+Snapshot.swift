import FileSystem
import Model
import StateStore
import SyncEngine

// A world in sync is built once, and every run starts from it.
extension ScheduleExecutor {
    struct Snapshot {
        fileprivate var programs: [Program<G.Writer>?]
        fileprivate var agents: [SavedAgent]
        fileprivate var holding: [BothSides<Int>]
        fileprivate var clock: Duration
        fileprivate var readiness: Readiness
    }

    fileprivate struct SavedAgent {
        var agent: Agent<G>
        var bridge: any BridgeUnderTest
        var journal: LabJournal
        var known: [Int]
        var hints: UInt32
        var starts: UInt64
    }

    /// `nil` if it cannot be restored: faulty engines have memories of their own.
    func save() -> Snapshot? {
        guard scenario.engines == [.widgetbridge], backend.save() else { return nil }
        var saved: [SavedAgent] = []
        for agent in bridges {
            guard let bridge = agent.bridge else { return nil }
            bridge.save()
            let journal = agent.journal.copy(instance: agent.journal.instance)
            saved.append(
                SavedAgent(
                    agent: agent,
                    bridge: bridge,
                    journal: journal,
                    known: agent.known,
                    hints: agent.hints,
                    starts: agent.starts
                )
            )
        }
        return Snapshot(
            programs: programs,
            agents: saved,
            holding: holding,
            clock: clock,
            readiness: readiness
        )
    }

    func restore(_ snapshot: Snapshot) {
        backend.restore()
        programs = snapshot.programs
        holding = snapshot.holding
        clock = snapshot.clock
        readiness = snapshot.readiness
        lastOperation = clock
        taken = 0
        current = 0
        unrest = nil
        isOver = false
        kinds = []
        for lane in fates.indices where fates[lane] != nil { fates[lane] = 0 }
        recorder = Recorder(lanes: scenario.actors.count)
        schedule = Schedule()
        trail.restart()
        for saved in snapshot.agents { restore(saved) }
    }

    private func restore(_ saved: SavedAgent) {
        let agent = saved.agent
        agent.files.forgetAll()
        saved.bridge.restore()
        agent.bridge = saved.bridge
        agent.journal.resume(from: saved.journal)
        agent.known = saved.known
        agent.hints = saved.hints
        agent.starts = saved.starts
        agent.notices = []
        agent.requests = []
        agent.forgetWords()
        agent.isDead = false
        agent.isIdle = true
        rested.set(agent.lane, false)
    }
}
