import AgentAPI
import BridgeRuntime
import Model
import SyncEngine
import TestBridge
import Testing

/// What a server refuses, and how.
@Suite struct HTTPRefusalTests {
    @Test(arguments: ["/v1/documents/none.json", "/v1/nothing", "/v1/status"])
    func `A HEAD has no body, whatever the answer is`(target: String) async throws {
        let answer = try await answer(of: FakeBridge(), to: "HEAD \(target)")
        #expect(answer.hasPrefix("HTTP/1.1 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
    }

    @Test func `A link in the place of a document is a conflict, and no error of the agent`() throws {
        let name = try path("a.json")
        let failure = PutFailure.file(.notRegular(Location(Side.app, name), .symbolicLink))
        #expect(ProblemDetails(BridgeError(failure, of: name, on: .app)).statusCode == 409)
    }
}
