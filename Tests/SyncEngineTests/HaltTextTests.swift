import Glibc
import Model
import SyncEngine
import Testing

/// The text of a halt for people and programs.
@Suite struct HaltTextTests {
    private static let error = FileError.directory(errno: EIO, .list, Directory(.app))

    private static let told: [(Halt.Reason, String)] = [
        (.lostAll(1), "the last document is gone from the app container"),
        (.lostAll(12), "all 12 documents are gone from the app container"),
        (.lost(7, of: 12), "7 of 12 documents are gone from the app container"),
        (
            .lost(21, of: 40, crossed: 10),
            "21 of 40 documents are gone from the app container, 10 of them also from the other "
                + "container"
        ),
        (.gone, "the app container is gone"),
        (.returned, "the app container was replaced by another directory"),
        (.replaced(by: "1 2 3"), "the app container was replaced by another directory"),
        (
            .unmarked("1 2 3"),
            "the app container does not carry its ID: it was replaced, or lost its extended attributes"
        ),
        (.isOther, "the path of the app container leads to the group container"),
        (.unreachable(error), "the app container cannot be reached: cannot list it: Input/output error"),
        (.unreadable(error), "the app container cannot be read: cannot list it: Input/output error"),
    ]

    @Test(arguments: told)
    func `each reason has its text`(reason: Halt.Reason, words: String) {
        #expect(Halt(side: .app, reason: reason).text == words)
    }

    @Test func `only a directory in the container's place can be accepted as the container`() {
        let strangers = Self.told.compactMap { Halt(side: .app, reason: $0.0).stranger }
        #expect(strangers == ["1 2 3", "1 2 3"])
    }

    @Test func `a problem of the container itself ends by itself, and a loss of documents does not`() {
        let reachable = Self.told.map(\.0).filter { !Halt(side: .app, reason: $0).isUnreachable }
        #expect(reachable == [.lostAll(1), .lostAll(12), .lost(7, of: 12), .lost(21, of: 40, crossed: 10)])
    }
}
