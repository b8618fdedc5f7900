import Documents
import RaceLab

/// A line for each file of a corpus, then the anomalies that were found, and how many files are clean.
struct CorpusPrinter {
    let printer: TextPrinter

    func text(_ corpus: Corpus) -> String {
        let rows = corpus.entries.map { entry in
            let recorded = entry.failure == nil ? entry.recorded?.rawValue ?? "no anomaly" : ""
            return [entry.file.withoutControls, recorded, found(entry), steps(entry)]
        }
        var lines = printer.layout.table(
            ["FILE", "RECORDED", "FOUND", "STEPS"],
            rows,
            styled: printer.bold
        )
        for entry in corpus.entries {
            guard let anomaly = entry.anomalies.first else { continue }
            let place = " in \(entry.file.withoutControls)"
            lines += [""] + printer.labelled("found", anomaly.kind.rawValue, .red, place)
            lines += printer.wrapped("          ", anomaly.sentence.withoutControls)
            lines += printer.wrapped("mend      ", anomaly.advice(in: entry.history).text.withoutControls)
        }
        lines += [""] + printer.wrapped("", total(corpus))
        if corpus.entries.contains(where: { $0.isUnproved && !$0.isUpdated }) {
            let command = printer.hint.line("race replay", [corpus.path, "--update"])
            lines += printer.wrapped(
                "",
                "\(command) records the steps anew where they differ and no anomaly is found"
            )
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private func found(_ entry: Corpus.Entry) -> String {
        if entry.failure != nil { return "not replayed" }
        var kinds: [String] = []
        for anomaly in entry.anomalies where !kinds.contains(anomaly.kind.rawValue) {
            kinds.append(anomaly.kind.rawValue)
        }
        if kinds.isEmpty {
            return entry.status == .undecided && !entry.isUnproved ? "no verdict" : "no anomaly"
        }
        return kinds.joined(separator: ", ")
    }

    private func steps(_ entry: Corpus.Entry) -> String {
        if entry.failure != nil { return "" }
        if entry.isSame { return "identical" }
        return entry.isUpdated ? "differ, recorded anew" : "differ"
    }

    private func total(_ corpus: Corpus) -> String {
        let counts = corpus.counts
        let parts = [
            (counts.anomaly, "with an anomaly"), (counts.clean, "clean"),
            (counts.undecided, "without a verdict"), (counts.failed, "not replayed"),
        ]
        let texts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(printer.counted(corpus.files, "file")): \(texts)"
    }
}

extension Corpus {
    typealias Counts = (clean: Int, anomaly: Int, undecided: Int, failed: Int)

    var counts: Counts {
        var counts: Counts = (0, 0, 0, files - entries.count)
        for entry in entries {
            switch entry.status {
            case .done: counts.clean += 1
            case .anomaly where entry.failure == nil: counts.anomaly += 1
            case .undecided where entry.failure == nil: counts.undecided += 1
            default: counts.failed += 1
            }
        }
        return counts
    }

    var json: JSONText {
        let counts = counts
        return [
            "format": JSONText(1),
            "path": JSONText(path),
            "files": JSONText(entries.map(\.json)),
            "clean": JSONText(counts.clean),
            "anomaly": JSONText(counts.anomaly),
            "unknown": JSONText(counts.undecided),
            "failed": JSONText(counts.failed),
        ]
    }
}

extension Corpus.Entry {
    fileprivate var json: JSONText {
        var members: [(String, JSONText)] = [
            ("file", JSONText(file)), ("recorded", JSONText(recorded?.rawValue)),
            ("verdict", JSONText(failure == nil ? verdict.word : nil)), ("sameSteps", JSONText(isSame)),
            ("updated", JSONText(isUpdated)),
            ("anomalies", JSONText(anomalies.map { $0.json(in: history) })),
        ]
        if let reason = failure?.text ?? undecided { members.append(("reason", JSONText(reason))) }
        return JSONText(object: members)
    }

    private var verdict: RaceVerdict {
        switch status {
        case .done: .clean
        case .anomaly: .anomaly
        default: .unknown
        }
    }
}

extension JUnitReport {
    /// With a test case for each file.
    init(_ corpus: Corpus) {
        let cases = corpus.entries.map { entry -> Case in
            if let anomaly = entry.anomalies.first {
                let text = "mend: \(anomaly.advice(in: entry.history).text)"
                return Case(
                    name: entry.file,
                    result: .failed(anomaly.kind, message: anomaly.sentence, text: text)
                )
            }
            let reason = entry.failure?.text ?? entry.undecided
            return Case(name: entry.file, result: reason.map { .undecided(message: $0) } ?? .passed)
        }
        self.init(name: corpus.path, cases: cases)
    }
}
