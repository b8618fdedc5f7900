import BridgeRuntime
import Documents
import Hummingbird
import HummingbirdCore
import Model
import NIOCore

/// Health and metrics, for monitoring programs.
extension Routes {
    func addMonitoring(to router: Router<RequestContextOnChannel>) {
        router.on("v1/health", .get) { _, _, _ in try await health() }
        router.on("v1/metrics", .get) { _, _, _ in try await metrics() }
    }

    /// 503 while nothing is synced.
    private func health() async throws -> Response {
        let status: BridgeStatus
        do throws(BridgeError) {
            status = try await bridge.status()
        } catch .noAgent {
            var response = json(["state": "stopped", "reason": .null])
            response.status = .serviceUnavailable
            return response
        }
        var response = json([
            "state": JSONText(status.state.rawValue), "reason": JSONText(status.reason?.text),
            "process": JSONText(status.process), "instance": JSONText(status.instance),
        ])
        if status.state != .running { response.status = .serviceUnavailable }
        return response
    }

    private func metrics() async throws -> Response {
        let text = Metrics(try await bridge.status()).text
        return Response(
            status: .ok,
            headers: [.contentType: Metrics.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
