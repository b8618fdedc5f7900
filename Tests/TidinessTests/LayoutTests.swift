import Foundation
import Testing

private let topLevel: Set = ["Package.resolved", "Package.swift", "README.md", "Scripts", "Sources", "Tests"]

/// Separate programs, under the licence of the library they are linked with.
private let underGPL = ["WatchHelper", "CWatchShim", "CInotifyTools"]
private let licenceLine = "// SPDX-License-Identifier: GPL-2.0-only"

/// A file of the helper without its licence, or another file with the helper's.
private func wrongLicences(in files: [SourceFile]) -> [String] {
    files.filter { file in
        underGPL.contains(file.module) != (file.lines.first.map(String.init) == licenceLine)
    }
    .map(\.path)
}

/// A dependency in Package.swift between the two licences.
private func linksAcrossLicences(in manifest: String) -> [String] {
    let targets = manifest.components(separatedBy: "arget(").dropFirst()
    return targets.filter { target in
        guard let name = target.firstMatch(of: /name: "(\w+)"/)?.1 else { return false }
        let names = underGPL
        let dependencies = target.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
        let linked = names.contains { dependencies.contains("\"\($0)\"") }
        return linked && !underGPL.contains(String(name))
    }
    .compactMap { $0.firstMatch(of: /name: "(\w+)"/).map { String($0.1) } }
}

@Suite("Layout")
struct LayoutTests {
    @Test("has only the expected entries at its root")
    func top() throws {
        #expect(Set(try Project.names(in: "")).subtracting(topLevel) == [])
    }

    @Test("has each licence beside the code it covers")
    func licences() throws {
        #expect(try Project.text(of: "Sources/LICENSE").contains("Apache License\n"))
        #expect(try Project.text(of: "Sources/WatchHelper/LICENSE").contains("GNU GENERAL PUBLIC LICENSE\n"))
        let files = try Project.files(in: ["Sources"], endingIn: [".swift", ".c", ".h"])
        expectNone(wrongLicences(in: files))
    }

    @Test("links no code across the two licences")
    func links() throws {
        expectNone(linksAcrossLicences(in: try Project.text(of: "Package.swift")))
    }

    @Test("is wrong without a licence, or with one in the wrong place")
    func caught() {
        let files = [
            SourceFile(path: "Sources/WatchHelper/A.swift", text: "import Glibc\n"),
            SourceFile(path: "Sources/StateStore/B.swift", text: "\(licenceLine)\n"),
            SourceFile(path: "Sources/WatchHelper/C.swift", text: "\(licenceLine)\n"),
        ]
        #expect(wrongLicences(in: files) == ["Sources/WatchHelper/A.swift", "Sources/StateStore/B.swift"])
        let manifest = """
            .target(name: "Watching", dependencies: ["CLinux", "CWatchShim"]),
            .executableTarget(name: "WatchHelper", dependencies: ["CInotifyTools", "CWatchShim"]),
            """
        #expect(linksAcrossLicences(in: manifest) == ["Watching"])
    }
}
