import TestWorld
import Testing

@testable import Commands

@Suite struct ManyFilesTests {
    @Test func `Every one of many files is planned`() async throws {
        try await withDirectory { root in
            let files = (0..<200).map { "\(root)/\($0).json" }
            for file in files { try write(LiveApp.first.v1, to: file) }
            let words = ["migrate", "plan", "--profile", "budget"]
            for arguments in [
                words + files, words + ["--"] + files, ["migrate", "plan"] + files + words[2...],
            ] {
                let plan = try await Binary.run(arguments)
                #expect(plan.status == 2 && plan.output.contains("\n200 to migrate\n"), "\(plan.errors)")
            }
        }
    }

    @Test func `Only files are hidden from the argument parser`() {
        let files = (0..<100).map { "\($0).json" }
        for words in [
            ["migrate", "plan"], ["migrate", "plan", "--json"], ["migrate", "plan", "--to", "2"],
        ] {
            let (shown, rest) = ManyFiles.split(words + files)
            #expect(shown + rest == words + files && shown.count < 8 && shown.starts(with: words))
        }
        #expect(ManyFiles.split(["json", "hash"] + files).rest.isEmpty)
        #expect(ManyFiles.split(["migrate", "plan"] + files + ["--json"]).rest.isEmpty)
    }
}
