import BridgeRuntime
import Documents
import FileSystem
import Model
import StateStore
import Testing
import Watching

@testable import Doctor

@Suite struct DiagnosisTests {
    private static let app = Finding.Place.path("/c/app")

    @Test func `Nothing is found where nothing is wrong`() throws {
        #expect(try DoctorTests.findings() == [])
    }

    // MARK: The machine

    @Test(arguments: NeededCall.allCases)
    func `A missing system call is an error if there is no other way`(_ call: NeededCall) throws {
        let findings = try DoctorTests.findings { $0.missingCalls = [call] }
        #expect(findings == [Finding(.machine(.missingCall(call)), at: .machine)])
        #expect(findings.map(\.severity) == [call == .statx ? .error : .warning])
    }

    @Test(arguments: [
        PollingReason.noHelper, .silent, .complained("too many open files"),
        .limited(.watchLimit(unwatched: 3, cause: "")),
    ])
    func `That the bridge would poll is a warning`(_ reason: PollingReason) throws {
        let findings = try DoctorTests.findings { $0.watching = .tried(reason) }
        #expect(findings == [Finding(.machine(.polling(reason)), at: .machine)])
        #expect(findings.map(\.severity) == [.warning])
        #expect(try DoctorTests.findings { $0.watching = .asConfigured } == [])
    }

    @Test func `Containers that take most of the watches are a warning, if they are watched`() throws {
        func change(_ bridge: inout BridgeObservation) {
            bridge.watchLimit = 100
            bridge.containers.app?.directories = 40
            bridge.containers.group?.directories = 10
        }
        #expect(try DoctorTests.findings(change) == [])
        let more = try DoctorTests.findings {
            change(&$0)
            $0.containers.app?.directories = 41
        }
        #expect(more == [Finding(.machine(.fewWatches(needed: 51, limit: 100)), at: .machine)])
        #expect(more.map(\.severity) == [.warning])
        let polled = try DoctorTests.findings {
            change(&$0)
            $0.containers.app?.directories = 41
            $0.watching = .asConfigured
        }
        #expect(polled == [])
    }

    // MARK: Directories

    @Test func `What keeps a bridge from starting is an error, at the path that it is about`() throws {
        let findings = try DoctorTests.findings {
            $0.paths.problems = [.missingDirectory("/c/app"), .nestedContainers(app: "/c", group: "/c/x")]
        }
        #expect(findings.map(\.place) == [Self.app, .bridge])
        #expect(findings.map(\.severity) == [.error, .error])
    }

    @Test func `A state directory that others may read is a note, and a damaged journal a warning`() throws {
        let findings = try DoctorTests.findings {
            $0.paths.othersRights = 0o055
            $0.paths.isJournalDamaged = true
        }
        #expect(
            findings == [
                Finding(.state(.damagedJournal), at: .path("/c/state/journal.sqlite")),
                Finding(.state(.othersRights(0o055)), at: .path("/c/state")),
            ]
        )
        #expect(findings.map(\.severity) == [.warning, .note])
    }

    @Test func `A queue of events that cannot be used is an error, at its path`() throws {
        let path = "/c/state/events/queue.sqlite"
        let error = BridgeError.event(.queue(.locked, path: path))
        let found = try DoctorTests.findings { $0.events = error }
        #expect(found == [Finding(.refused(error), at: .path(path))])
        #expect(found.map(\.severity) == [.error] && found.map(\.reason.code) == ["events"])
    }

    @Test func `A state directory on a disk that is nearly full is an error, once`() throws {
        let full = FileSystemFacts(type: "ext4", isReadOnly: false, room: 45 << 10)
        let found = try findings { $0.stateFileSystem = full }
        #expect(found == [Finding(.state(.noRoom), at: .path("/c/state"))])
        #expect(found.map(\.severity) == [.error])
        let said = try findings {
            $0.stateFileSystem = full
            $0.paths.problems = [.noRoom("/c/state")]
        }
        #expect(said == [Finding(.refused(.noRoom("/c/state")), at: .path("/c/state"))])
        #expect(try findings { $0.stateFileSystem?.room = 1 << 20 } == [])
    }

    @Test func `A hook that always fails is a warning, and one that sometimes does a note`() throws {
        func found(failures: Int) throws -> [Finding] {
            var hook = HookReport(name: "bell")
            (hook.runs, hook.failures) = (3, failures)
            if failures > 0 { hook.lastFailure = "status 1" }
            return try DoctorTests.findings { $0.hooks = [hook] }
        }
        #expect(try found(failures: 0) == [])
        let reason = Finding.Bridge.hook("bell", failures: 3, runs: 3, "status 1")
        #expect(try found(failures: 3) == [Finding(.bridge(reason), at: .bridge)])
        #expect(try found(failures: 3).map(\.severity) == [.warning])
        #expect(try found(failures: 1).map(\.severity) == [.note])
    }

    @Test func `Of a container that cannot be written, only the first reason counts`() throws {
        let findings = try DoctorTests.findings {
            $0.containers.app?.fileSystem = .init(type: "squashfs", isReadOnly: true, room: 0)
            $0.containers.app?.isWritable = false
            $0.containers.group?.isWritable = false
        }
        #expect(
            findings == [
                Finding(.container(.readOnly(fileSystem: "squashfs")), at: Self.app),
                Finding(.container(.unwritable), at: .path("/c/group")),
            ]
        )
        #expect(findings.allSatisfy { $0.severity == .error })
        let full = try DoctorTests.findings { $0.containers.app?.fileSystem?.room = 100 }
        #expect(full == [Finding(.container(.noRoom), at: Self.app)])
    }

    @Test(arguments: ["nfs4", "9p", "cifs"])
    func `A shared file system without an exchange has two warnings`(_ type: String) throws {
        let findings = try DoctorTests.findings { $0.containers.app?.fileSystem?.type = type }
        #expect(
            findings == [
                Finding(.container(.remoteChanges(fileSystem: type)), at: Self.app),
                Finding(.container(.noExchange(fileSystem: type)), at: Self.app),
            ]
        )
        #expect(findings.allSatisfy { $0.severity == .warning })
        let configured = try DoctorTests.findings {
            $0.containers.app?.fileSystem?.type = type
            $0.watching = .asConfigured
            $0.exchanges = false
        }
        #expect(configured == [])
    }

    @Test func `Events are missing on FUSE, and of the layers of an overlay`() throws {
        let findings = try DoctorTests.findings {
            $0.containers.app?.fileSystem?.type = "fuse.sshfs"
            $0.containers.group?.fileSystem?.type = "overlay"
        }
        #expect(
            findings == [
                Finding(.container(.remoteChanges(fileSystem: "fuse.sshfs")), at: Self.app),
                Finding(.container(.layers), at: .path("/c/group")),
            ]
        )
    }

    @Test func `A directory that cannot be listed is an error, and too many of them a note`() throws {
        let path = try #require(RelativePath("a/b"))
        let findings = try DoctorTests.findings {
            $0.containers.group?.unreadable = [.init(path, errno: 13)]
            $0.containers.group?.isIncomplete = true
            $0.containers.group?.directories = 9
        }
        #expect(
            findings == [
                Finding(.container(.unreadable(errno: 13)), at: .container(.group, "a/b")),
                Finding(.container(.incomplete(directories: 9)), at: .path("/c/group")),
            ]
        )
        #expect(findings.map(\.severity) == [.error, .note])
    }

    // MARK: Documents

    private func document(
        _ name: String,
        _ kind: FileKind = .regular,
        size: Int64 = 1,
        isReadable: Bool = true
    ) throws -> DocumentObservation {
        DocumentObservation(
            try #require(RelativePath(name)),
            kind: kind,
            size: size,
            isReadable: isReadable
        )
    }

    @Test func `A document that would be held is an error`() throws {
        let findings = try DoctorTests.findings {
            $0.maxDocument = 10
            $0.containers.app?.documents = [
                try document("a.json", .symbolicLink), try document("b.json", size: 11),
                try document("c.json", isReadable: false), try document("d.json", size: 10),
                DocumentObservation(try #require(RelativePath("e.json")), isMounted: true),
            ]
        }
        #expect(
            findings == [
                Finding(.document(.notRegular(.symbolicLink)), at: .container(.app, "a.json")),
                Finding(.document(.mounted), at: .container(.app, "e.json")),
                Finding(.document(.tooLarge(11, limit: 10)), at: .container(.app, "b.json")),
                Finding(.document(.unreadable), at: .container(.app, "c.json")),
            ]
        )
        #expect(findings.allSatisfy { $0.severity == .error })
    }

    @Test func `Of many documents with one problem only the first are listed`() throws {
        let findings = try DoctorTests.findings {
            $0.containers.app?.documents = try (0..<1_000).map {
                try document("\($0).json", isReadable: $0 % 2 == 0)
            }
        }
        #expect(findings.count == 21)
        #expect(findings.last == Finding(.document(.more(480, like: .unreadable)), at: Self.app))
    }

    @Test func `A journal that the bridge cannot use is an error`() throws {
        let path = "/c/state/journal.sqlite"
        let errors = [
            BridgeError.journal(.otherSchema(9, known: 6), path: path),
            .otherProfile(known: "a", named: "b", state: "/c/state"),
        ]
        for (error, place) in zip(errors, [Finding.Place.path(path), .bridge]) {
            let findings = try DoctorTests.findings { $0.journal = error }
            #expect(findings == [Finding(.refused(error), at: place)])
            #expect(findings.map(\.severity) == [.error])
        }
    }

    // MARK: The profile and the agent

    @Test func `An invalid profile is an error, and its warnings about versions are one note`() throws {
        let error = ProfileError(file: "p.yaml", line: 3, column: 1, key: "a", reason: .emptyFile)
        let warning = LintFinding(document: "a.json", place: "ios app", reason: .noSchema(version: 1))
        let clash = LintFinding(
            document: "a.json",
            place: "ios app",
            reason: .store(.sharedFile("x", document: "b.json"))
        )
        let findings = try DoctorTests.findings {
            $0.profile = ProfileObservation(name: "p.yaml")
            $0.profile.error = error
            $0.profile.warnings = [
                .init(warning, file: "p.yaml", line: 5), .init(warning, file: "p.yaml", line: 6),
                .init(clash, file: "p.yaml", line: 7),
            ]
        }
        #expect(
            findings == [
                Finding(.profile(.invalid(error)), at: .profile(line: 3, file: "p.yaml")),
                Finding(.profile(.store(clash)), at: .profile(line: 7, file: "p.yaml")),
                Finding(.profile(.versions(2, profile: "p.yaml")), at: .path("p.yaml")),
            ]
        )
        #expect(findings.map(\.severity) == [.error, .warning, .note])
    }

    @Test func `An agent that is silent or has another bridge is an error`() throws {
        let errors = [
            BridgeError.silentAgent(process: 7, socket: "/c/state/agent.sock"),
            .otherBridge(.app, given: "/a", actual: "/b"),
        ]
        let places = [Finding.Place.path("/c/state/agent.sock"), .bridge]
        for (error, place) in zip(errors, places) {
            let findings = try DoctorTests.findings { $0.agent = .refused(error) }
            #expect(findings == [Finding(.refused(error), at: place)])
            #expect(findings.map(\.severity) == [.error])
        }
    }

    @Test func `A missing container is one error, although the agent cannot be asked either`() throws {
        let findings = try DoctorTests.findings {
            $0.paths.problems = [.missingDirectory("/c/app")]
            $0.agent = .refused(.missingDirectory("/c/app"))
        }
        #expect(findings == [Finding(.refused(.missingDirectory("/c/app")), at: Self.app)])
    }

    @Test func `A halted or paused bridge and its limits are told`() throws {
        let reason = Reported<BridgeStatus.Reason>.reported("why")
        let waiting = [BridgeStatus.Document(name: "a.json", state: .pending)]
        let cases: [(BridgeStatus, [Finding.Bridge], [Finding.Severity])] = [
            (.of(.running), [], []), (.of(.halted, reason), [.halted(reason)], [.error]),
            (.of(.running, documents: waiting), [], []),
            (.of(.paused), [.paused(since: nil, waiting: 0)], [.note]),
            (.of(.paused, documents: waiting), [.paused(since: nil, waiting: 1)], [.error]),
            (.of(.running, reason), [.limited(reason)], [.warning]),
        ]
        for (status, agent, severities) in cases {
            let findings = try DoctorTests.findings { $0.agent = .answered(status) }
            #expect(findings == agent.map { Finding(.bridge($0), at: .bridge) })
            #expect(findings.map(\.severity) == severities)
        }
    }

    @Test func `That no agent runs is a note where nothing waits, and else an error`() throws {
        let waiting = (0..<3).map { BridgeStatus.Document(name: "\($0).json", state: .pending) }
        for (documents, severity) in [([], Finding.Severity.note), (waiting, .error)] {
            let findings = try DoctorTests.findings {
                $0.agent = .looked(.of(.stopped, documents: documents))
            }
            #expect(findings == [Finding(.bridge(.noAgent(waiting: documents.count)), at: .bridge)])
            #expect(findings.map(\.severity) == [severity])
        }
    }

    @Test func `Each held document is an error with its reason, unless its place has one already`() throws {
        let held = ["a.json", "b.json", "c.json"].map {
            BridgeStatus.Document(name: $0, state: .held, side: .app, reason: .reported("why"))
        }
        let both = BridgeStatus.Document(name: "d.json", state: .held)
        let findings = try DoctorTests.findings {
            $0.agent = .answered(.of(.running, documents: held + [both]))
            $0.containers.app?.documents = [try document("a.json", .symbolicLink), try document("b.json")]
            $0.containers.app?.documents[1].mode = 0o100666
        }
        #expect(
            findings == [
                Finding(.document(.notRegular(.symbolicLink)), at: .container(.app, "a.json")),
                Finding(.document(.held(.reported("why"))), at: .container(.app, "b.json")),
                Finding(.document(.held(.reported("why"))), at: .container(.app, "c.json")),
                Finding(.document(.held(nil)), at: .document("d.json")),
                Finding(.document(.exposed(0o100666)), at: .container(.app, "b.json")),
            ]
        )
        #expect(findings.map(\.severity) == [.error, .error, .error, .error, .warning])
        let many = (0..<50).map { BridgeStatus.Document(name: "\($0).json", state: .held) }
        let first = try DoctorTests.findings { $0.agent = .answered(.of(.running, documents: many)) }
        #expect(first.count == 21)
        #expect(first.last == Finding(.document(.more(30, like: .held(nil))), at: .bridge))
    }

    @Test func `What a built-in profile may break is no finding: only a release changes it`() throws {
        let warning = LintFinding(document: "a.json", place: "ios app", reason: .noSchema(version: 1))
        let findings = try DoctorTests.findings {
            $0.profile.warnings = [.init(warning, file: "budget (built in)", line: 5)]
            $0.profile.isBuiltIn = true
        }
        #expect(findings == [])
    }
}
