import DirectoryReplica
import FileSystem
import Model
import Replica
import StateStore

/// A minimal bridge: it adds lines to a document by compare-and-swap, and merges what it displaced. Its
/// documents are sets of lines, so that a merge is a union, which cannot go wrong.
struct LineBridge<Disk: FileSystem> {
    /// A mistake to make.
    enum Mistake: CaseIterable {
        case dropsWhatItDisplaced, swapsBack, trustsBusyFiles, forgetsToExamine
    }

    let disk: Disk
    let document: Location
    var mistake: Mistake?
    private var number: UInt64 = 0
    private var asides: [(place: Location, expected: Digest)] = []
    private let limit = 1 << 20

    init(_ disk: Disk, _ document: Location, mistake: Mistake? = nil) throws {
        self.disk = disk
        self.document = document
        self.mistake = mistake
        try StateDirectory(disk).makeKeepingPlaces()
    }

    var isAtRest: Bool { asides.isEmpty }

    /// Adds a line from elsewhere.
    mutating func add(_ line: String) throws {
        while true {
            let current = try look()
            let wanted = (current ?? []) + .text(line + "\n")
            if try put(wanted, over: current, carrying: nil) { return }
        }
    }

    /// Examines the busy files again.
    mutating func resolve() throws {
        let due = asides
        asides = []
        for aside in due { try receive(aside.place, aside.expected) }
    }

    private func look() throws -> [UInt8]? {
        do {
            return try disk.contents(document)
        } catch FileError.missing {
            return nil
        }
    }

    /// `false` if another program was faster.
    private mutating func put(_ bytes: [UInt8], over current: [UInt8]?, carrying carried: Location?) throws
        -> Bool
    {
        number += 1
        let staged: Staged
        let expected: Digest? = if let current { Digest(of: current) } else { nil }
        do {
            staged = try disk.stage(
                bytes,
                digest: Digest(of: bytes),
                for: document,
                replacing: expected,
                like: current == nil ? nil : document,
                number: number,
                synced: false
            )
        } catch FileError.missing {
            return false
        }
        let publication = try disk.publish(staged, replacing: current != nil)
        if publication == .raced { return false }
        if let carried {
            try StateDirectory(disk).discard(
                carried,
                digest: Digest(of: disk.contents(carried)),
                limit: limit
            )
        }
        guard case .replaced(let aside) = publication, let current else { return true }
        try receive(aside, Digest(of: current))
        return true
    }

    private mutating func receive(_ place: Location, _ expected: Digest) throws {
        if mistake == .forgetsToExamine { return try disk.remove(place) }
        switch try disk.examine(place, limit: limit, trustUnknown: false, isExpected: { $0 == expected }) {
        case .expected: try StateDirectory(disk).discard(place, digest: expected, limit: limit)
        case .busy:
            if mistake == .trustsBusyFiles { return try disk.remove(place) }
            asides.append((place, expected))
        case .overtook(let save): try mergeForward(save, place)
        case .tooLarge: preconditionFailure("nobody here saves so much")
        }
    }

    private mutating func mergeForward(_ save: [UInt8], _ place: Location) throws {
        switch mistake {
        case .dropsWhatItDisplaced: return try disk.remove(place)
        case .swapsBack:
            do { try disk.rename(place, to: document, .exchange) } catch FileError.missing {}
            return try disk.remove(place)
        default: break
        }
        while true {
            guard let current = try look() else {
                do {
                    return try disk.rename(place, to: document, .exclusive)
                } catch FileError.exists {
                    continue
                }
            }
            let news = lines(save).subtracting(lines(current)).sorted()
            guard !news.isEmpty else {
                try StateDirectory(disk).discard(place, digest: Digest(of: save), limit: limit)
                return
            }
            let merged = current + .text(news.joined(separator: "\n") + "\n")
            if try put(merged, over: current, carrying: place) { return }
        }
    }
}
