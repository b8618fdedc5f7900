/// The schedules within the bound, depth first: each one before those that depart from it once more.
///
/// It counts the schedules that are skipped because an equivalent one was run, with those that would depart
/// from them: exactly, since these are as many as depart from the equivalent one.
struct ScheduleTree {
    /// What departs from a schedule.
    private struct Descendants {
        /// How many schedules, by the step of the next departure.
        var counts: [Int] = []
        var children: [Scheduler.Departure: Child] = [:]

        mutating func add(_ count: Int, at step: Int) {
            while counts.count <= step { counts.append(0) }
            counts[step] += count
        }
    }

    private struct Child {
        var counts: [Int]
        var cousins: [Scheduler.Departure: Family.Cousin]
    }

    private let bound: Int
    private var stack: [ScheduleNode] = []
    /// By the number of departures.
    private var descendants: [Descendants] = []
    /// How many schedules were skipped.
    private(set) var skipped = 0

    init(_ root: Run, bound: Int) {
        self.bound = bound
        var node = ScheduleNode(run: root, steps: root.steps, isLast: bound == 1)
        if bound > 0 { node.choices = root.others.departures(from: 0) }
        stack = [node]
    }

    /// The nodes to run families of: that of the next one, and some whose turn will come. With many
    /// preemptions left that would be too many schedules at once.
    mutating func waiting(_ most: Int) -> [(place: Int, node: ScheduleNode)] {
        closeDone()
        guard let next = stack.last, needsFamily(next) else { return [] }
        var waiting: [(place: Int, node: ScheduleNode)] = []
        for place in stack.indices.reversed() where waiting.count < most && canRun(stack[place]) {
            let left = bound - stack[place].departures.count
            if place < stack.count - 1, left > 2 { continue }
            var node = stack[place]
            node.cousins = sibling(of: node)?.cousins ?? [:]
            waiting.append((place, node))
        }
        return waiting
    }

    /// What has been run, but was not taken yet.
    var left: [ScheduleNode] { stack.reversed().filter { !$0.isDone } }

    private func needsFamily(_ node: ScheduleNode) -> Bool {
        node.family == nil && !node.isDone && node.departures.count < bound
    }

    /// A skipped schedule needs what its twin has found.
    private func canRun(_ node: ScheduleNode) -> Bool {
        guard needsFamily(node) else { return false }
        if case .sibling = node.twin { return sibling(of: node) != nil }
        return true
    }

    private func sibling(of node: ScheduleNode) -> Child? {
        guard case .sibling(let step) = node.twin, let last = node.departures.last else { return nil }
        let parent = node.departures.count - 1
        guard descendants.indices.contains(parent) else { return nil }
        return descendants[parent].children[Scheduler.Departure(step: step, lane: last.lane)]
    }

    mutating func set(_ family: Family, at place: Int) { stack[place].family = family }

    /// The next schedule, with those that depart from it if these are the last.
    mutating func next() -> ScheduleNode? {
        closeDone()
        guard let node = stack.popLast() else { return nil }
        open(node)
        return node
    }

    private mutating func closeDone() {
        while let node = stack.last, node.isDone {
            stack.removeLast()
            close(node)
        }
    }

    private mutating func open(_ node: ScheduleNode) {
        var own = Descendants()
        if node.twin != nil { skip(node, &own) }
        for member in node.family?.members ?? [] where node.isLast {
            own.add(1, at: member.departure.step)
            if case .skipped = member.result { skipped += 1 }
        }
        descendants.append(own)
        var done = node
        done.isDone = true
        (done.run, done.steps) = (nil, [])
        done.family?.members = []
        stack.append(done)
        guard !node.isLast, let family = node.family else { return }
        stack += family.members.reversed().map { node.child($0, bound: bound) }
    }

    /// Counts a skipped schedule, and those that depart from its twin instead.
    private mutating func skip(_ node: ScheduleNode, _ own: inout Descendants) {
        skipped += 1
        var counts = sibling(of: node)?.counts ?? []
        if case .cousin(let cousin) = node.twin { counts = cousin.counts }
        for (step, count) in counts.enumerated().dropFirst(node.end ?? 0) where count > 0 {
            skipped += count
            own.add(count, at: step)
        }
    }

    private mutating func close(_ node: ScheduleNode) {
        guard let own = descendants.popLast(), let last = node.departures.last, !descendants.isEmpty else {
            return
        }
        var child = Child(counts: own.counts, cousins: [:])
        for cousin in node.family?.cousins ?? [] {
            child.cousins[cousin.departure] = cousin
            child.cousins[cousin.departure]?.counts = own.children[cousin.departure]?.counts ?? []
        }
        descendants[descendants.count - 1].add(1 + own.counts.reduce(0, +), at: last.step)
        descendants[descendants.count - 1].children[last] = child
    }
}
