// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Tests are not worth the time of an optimizer, where the rest of the package is optimized.
let unoptimized = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncAlgorithms = Target.Dependency.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let lifecycleSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioExtras = Target.Dependency.product(name: "NIOExtras", package: "swift-nio-extras")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let fuzzed: [Target.Dependency] = [
    "AgentAPI", "AgentClient", "AgentServer", "BridgeRuntime", "Documents", "Model", "Stores",
    httpTypes, hummingbirdCore, nio,
]

let package = Package(
    name: "widgetbridge",
    products: [
        .library(name: "WidgetBridge", targets: ["WidgetBridge"]),
        .library(name: "WidgetBridgeClient", targets: ["WidgetBridgeClient"]),
        .library(name: "WidgetBridgeReader", targets: ["WidgetBridgeReader"]),
        .library(name: "WidgetBridgeTesting", targets: ["WidgetBridgeTesting"]),
        .library(name: "RaceLab", targets: ["RaceLab"]),
        .library(name: "RaceLabTesting", targets: ["RaceLabTesting"]),
        .executable(name: "widgetbridge", targets: ["Commands"]),
        .executable(name: "widgetbridge-watch", targets: ["WatchHelper"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Pure: no file, no clock, no Foundation.
        .target(name: "Model", dependencies: [crypto], swiftSettings: strict),
        .target(
            name: "Documents",
            dependencies: [yams],
            resources: [.embedInCode("Profiles/BuiltIn")],
            swiftSettings: strict
        ),

        // What widgets show: texts in the languages of people.
        .target(name: "Presentation", dependencies: ["Documents"], swiftSettings: strict),

        // The formats in which apps keep their documents.
        .target(name: "Stores", dependencies: ["Documents", "Model", crypto], swiftSettings: strict),

        // When widgets may reload.
        .target(name: "Reloads", dependencies: ["Documents", "Model"], swiftSettings: strict),

        // The door to the disk.
        .target(name: "CLinux"),
        .target(name: "FileSystem", dependencies: ["CLinux", "Model"], swiftSettings: strict),

        // What the bridge remembers.
        .target(
            name: "StateStore",
            dependencies: ["FileSystem", "Model", grdb],
            swiftSettings: strict
        ),

        // What one side of a bridge must be able to do.
        .target(name: "Replica", dependencies: ["Model", "Stores"], swiftSettings: strict),

        // A directory as one side of a bridge: the compare-and-swap of a document.
        .target(
            name: "DirectoryReplica",
            dependencies: ["FileSystem", "Model", "Replica"],
            swiftSettings: strict
        ),

        // Documents in rows of a database.
        .target(name: "CSQLite"),
        .target(
            name: "DatabaseStore",
            dependencies: ["CLinux", "CSQLite", "FileSystem", "Model", "Replica", "Stores", sqlite],
            swiftSettings: strict
        ),

        // One side of a bridge with documents in stores.
        .target(
            name: "StoreReplica",
            dependencies: [
                "DatabaseStore", "DirectoryReplica", "Documents", "FileSystem", "Model", "Replica", "Stores",
            ],
            swiftSettings: strict
        ),

        // Starting and ending child processes.
        .target(name: "Processes", dependencies: ["CLinux"], swiftSettings: strict),

        // The door to the kernel's hints. The helper is a program of its own, under its own licence.
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .target(name: "CWatchShim"),
        .executableTarget(
            name: "WatchHelper",
            dependencies: ["CInotifyTools", "CWatchShim"],
            exclude: ["LICENSE"],
            swiftSettings: strict
        ),
        .target(
            name: "Watching",
            dependencies: ["Model", "Processes"],
            swiftSettings: strict
        ),

        // One turn of the loop.
        .target(
            name: "SyncEngine",
            dependencies: ["Documents", "Model", "Reloads", "Replica", "StateStore", "Stores"],
            swiftSettings: strict
        ),

        // A disk in memory, and what a power cut leaves of it: for the lab and for tests.
        .target(
            name: "FileSystemSimulation",
            dependencies: ["DirectoryReplica", "FileSystem", "Model"],
            swiftSettings: strict
        ),

        // A running bridge: the engine's thread, its watcher, its lock.
        .target(
            name: "BridgeRuntime",
            dependencies: [
                "CLinux", "DatabaseStore", "DirectoryReplica", "Documents", "FileSystem", "Model",
                "Presentation",
                "Reloads", "Replica", "StateStore", "StoreReplica", "SyncEngine", "Watching", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "WidgetBridge",
            dependencies: [
                "BridgeRuntime", "Documents", "Model", "Presentation", "Reloads", "StateStore", "SyncEngine",
                logging,
            ],
            swiftSettings: strict
        ),

        // A bridge in another process: what is said, who says it, who asks.
        .target(
            name: "AgentAPI",
            dependencies: [
                "BridgeRuntime", "Documents", "Model", "Presentation", "Reloads", "StateStore", "SyncEngine",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AgentServer",
            dependencies: [
                "AgentAPI", "BridgeRuntime", "CLinux", "Documents", "FileSystem", "Model", "Reloads",
                "StateStore", "SyncEngine", asyncAlgorithms, httpTypes, hummingbird, hummingbirdCore,
                lifecycle, logging, nio, nioExtras, nioHTTP1, nioHTTPTypes, nioPosix,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AgentClient",
            dependencies: [
                "AgentAPI", "BridgeRuntime", "Documents", "FileSystem", "Model", "Reloads", "StateStore",
                "SyncEngine", asyncAlgorithms, nio, nioHTTP1, nioPosix,
            ],
            swiftSettings: strict
        ),

        // What the agent does when widgets reload.
        .target(
            name: "Hooks",
            dependencies: [
                "AgentAPI", "BridgeRuntime", "CLinux", "Documents", "Model", "Processes", "SyncEngine",
                logging, nio, nioHTTP1, nioPosix,
            ],
            swiftSettings: strict
        ),

        // For the programs of others: the bridge of an agent, one document in a widget, a bridge in a test.
        .target(
            name: "WidgetBridgeClient",
            dependencies: ["AgentClient", "BridgeRuntime", "WidgetBridge"],
            swiftSettings: strict
        ),
        .target(name: "WidgetBridgeReader", swiftSettings: strict),
        .target(
            name: "WidgetBridgeTesting",
            dependencies: [
                "BridgeRuntime", "DirectoryReplica", "Documents", "FileSystem", "FileSystemSimulation",
                "Model", "Reloads", "StateStore", "SyncEngine", "WidgetBridge",
            ],
            swiftSettings: strict
        ),

        // The world, simulated.
        .target(
            name: "RaceLab",
            dependencies: [
                "CLinux", "DirectoryReplica", "Documents", "FileSystem", "FileSystemSimulation", "Model",
                "Processes", "Replica", "StateStore", "SyncEngine",
            ],
            swiftSettings: strict
        ),

        // Apart, so that the command line links no testing library.
        .target(name: "RaceLabTesting", dependencies: ["RaceLab"], swiftSettings: strict),

        // What is wrong with a bridge.
        .target(
            name: "Doctor",
            dependencies: [
                "BridgeRuntime", "DatabaseStore", "Documents", "FileSystem", "Hooks", "Model", "Replica",
                "StateStore", "StoreReplica", "Stores", "SyncEngine", "Watching",
            ],
            swiftSettings: strict
        ),

        .executableTarget(
            name: "Commands",
            dependencies: [
                "AgentAPI", "AgentClient", "AgentServer", "BridgeRuntime", "DatabaseStore", "Doctor",
                "Documents", "FileSystem", "Hooks", "Model", "Presentation", "Processes", "RaceLab",
                "Reloads", "StateStore",
                "StoreReplica", "Stores", "SyncEngine", "Watching", argumentParser, lifecycle,
                lifecycleSignals, logging,
            ],
            resources: [
                .embedInCode("Manual/CommandLine.md"), .embedInCode("Manual/Configuration.md"),
                .embedInCode("Manual/Profiles.md"), .embedInCode("Manual/Scenarios.md"),
            ],
            swiftSettings: strict
        ),

        .testTarget(name: "ModelTests", dependencies: ["Model"], swiftSettings: unoptimized),
        .testTarget(
            name: "DocumentsTests",
            dependencies: ["Documents", "TestDocuments"],
            exclude: ["Compliance"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "PresentationTests",
            dependencies: ["Documents", "Presentation"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "ReloadsTests",
            dependencies: ["Documents", "Model", "Reloads"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "StoresTests",
            dependencies: ["Documents", "Stores", "TestDocuments", "TestWorld"],
            exclude: ["Readers"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "CLinux", "DirectoryReplica", "FileSystem", "FileSystemSimulation", "Model", "Replica",
                "StateStore",
                "TestWorld", grdb,
            ],
            swiftSettings: unoptimized
        ),
        // What each side of a bridge must keep, and a second kind of side to try it on.
        .testTarget(
            name: "ReplicaContract",
            dependencies: [
                "DirectoryReplica", "Documents", "FileSystem", "FileSystemSimulation", "Model", "Replica",
                "StateStore", "StoreReplica", "Stores", "SyncEngine", "TestWorld",
            ],
            swiftSettings: unoptimized
        ),
        // The child process of these tests.
        .executableTarget(
            name: "DatabaseProgram",
            dependencies: ["DatabaseStore", "FileSystem", "Model", "Replica"],
            path: "Tests/DatabaseProgram",
            swiftSettings: strict
        ),
        .testTarget(
            name: "DatabaseStoreTests",
            dependencies: [
                "DatabaseStore", "FileSystem", "FileSystemSimulation", "Model", "Replica", "Stores",
                "TestWorld",
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "ProcessesTests",
            dependencies: ["CLinux", "Processes", "TestWorld"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "WatchHelperTests",
            dependencies: ["CLinux", "TestWorld", "Watching"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "WatchingTests",
            dependencies: ["Model", "Watching"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "SyncEngineTests",
            dependencies: [
                "DirectoryReplica", "Documents", "FileSystem", "FileSystemSimulation", "Model", "Replica",
                "StateStore",
                "SyncEngine",
            ],
            swiftSettings: unoptimized
        ),
        // The engine in simulated worlds of chance, for tests alone.
        .target(
            name: "FuzzWorlds",
            dependencies: [
                "DirectoryReplica", "Documents", "FileSystem", "FileSystemSimulation", "Model", "RaceLab",
                "Replica",
                "StateStore", "SyncEngine",
            ],
            path: "Tests/FuzzWorlds",
            swiftSettings: strict
        ),
        .testTarget(
            name: "RaceLabTests",
            dependencies: [
                "DirectoryReplica", "Documents", "FileSystem", "FileSystemSimulation", "FuzzWorlds", "Model",
                "RaceLab", "RaceLabTesting", "Replica", "StateStore", "TestWorld",
            ],
            exclude: ["Recorded", "Schedules"],
            swiftSettings: unoptimized
        ),
        // What several test targets need: a bridge in memory, served on a socket.
        .target(
            name: "TestBridge",
            dependencies: [
                "AgentClient", "AgentServer", "BridgeRuntime", "Documents", "FileSystem", "Model", "Reloads",
                "StateStore", "SyncEngine", "TestWorld", lifecycle, logging,
            ],
            path: "Tests/TestBridge",
            swiftSettings: strict
        ),
        // Documents of the five apps.
        .target(
            name: "TestDocuments",
            dependencies: ["Documents"],
            path: "Tests/TestDocuments",
            swiftSettings: strict
        ),
        // Programs that tests run, and surroundings for them: namespaces of their own, another user.
        .target(
            name: "TestWorld",
            dependencies: ["Processes"],
            path: "Tests/TestWorld",
            swiftSettings: strict
        ),
        .testTarget(
            name: "BridgeRuntimeTests",
            dependencies: ["BridgeRuntime", "Documents", "Model", "StateStore", "SyncEngine", "Watching"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "WidgetBridgeTests",
            dependencies: [
                "BridgeRuntime", "TestBridge", "TestWorld", "WidgetBridge", "WidgetBridgeClient",
                "WidgetBridgeReader", "WidgetBridgeTesting", logging,
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "DoctorTests",
            dependencies: [
                "BridgeRuntime", "Doctor", "Documents", "FileSystem", "Model", "StateStore", "Stores",
                "Watching",
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "HooksTests",
            dependencies: ["Hooks", "TestBridge", "TestWorld"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "AgentClientTests",
            dependencies: ["AgentClient", "Documents"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "AgentServerTests",
            dependencies: [
                "AgentAPI", "AgentClient", "AgentServer", "BridgeRuntime", "Documents",
                "Model", "Reloads", "StateStore", "SyncEngine", "TestBridge",
                httpTypes, nio, nioEmbedded, nioHTTPTypes,
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "AgentAPI", "AgentClient", "AgentServer", "BridgeRuntime", "CLinux", "Commands",
                "DirectoryReplica", "Documents", "FileSystem", "Model", "Processes", "RaceLab", "Reloads",
                "Replica", "StateStore", "SyncEngine",
                "TestBridge", "TestDocuments", "TestWorld", "Watching", argumentParser, grdb, logging,
            ],
            exclude: ["Recorded"],
            swiftSettings: unoptimized
        ),
        // What Scripts/fuzz has found, again.
        .testTarget(
            name: "FuzzTests",
            dependencies: fuzzed,
            exclude: ["Corpus", "LibFuzzer.swift"],
            swiftSettings: unoptimized
        ),
        // The programs of Scripts/soak that save.
        .executableTarget(
            name: "SoakWriter",
            dependencies: ["CLinux"],
            path: "Tests/SoakWriter",
            swiftSettings: strict
        ),
        // How the project is kept: arrows, lengths, bans, layout, and documentation that runs.
        .testTarget(
            name: "TidinessTests",
            dependencies: [
                "RaceLab", "RaceLabTesting", "TestWorld", "WidgetBridge", "WidgetBridgeClient",
                "WidgetBridgeReader", "WidgetBridgeTesting",
            ],
            swiftSettings: unoptimized
        ),
    ]
)

// Scripts/fuzz builds the same sources as a program, whose `main` is libFuzzer's.
if Context.environment["WIDGETBRIDGE_FUZZ"] != nil {
    package.targets.removeAll { $0.name == "FuzzTests" }
    package.targets.append(
        .executableTarget(
            name: "Fuzzer",
            dependencies: fuzzed,
            path: "Tests/FuzzTests",
            exclude: ["Corpus", "ReplayTests.swift"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}
