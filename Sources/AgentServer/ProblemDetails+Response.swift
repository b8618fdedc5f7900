package import AgentAPI
import Documents
package import HTTPTypes
package import Hummingbird
import NIOCore
import NIOHTTPTypes

extension ProblemDetails: HTTPResponseError {
    package func response(from _: Request, context _: some RequestContext) -> Response { response() }

    func response() -> Response {
        var headers: HTTPFields = [.contentType: Self.contentType]
        // A client that keeps its connection would take a place from others.
        if status == .serviceUnavailable { headers[.connection] = "close" }
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.description + "\n"))
        )
    }
}

extension ProblemDetails {
    /// The last response of a connection.
    var closingResponse: [HTTPResponsePart] {
        let body = ByteBuffer(string: json.description + "\n")
        let fields: HTTPFields = [
            .contentType: Self.contentType, .contentLength: String(body.readableBytes), .connection: "close",
        ]
        return [.head(HTTPResponse(status: status, headerFields: fields)), .body(body), .end(nil)]
    }

    static var tooManyStreams: ProblemDetails {
        ProblemDetails(status: .serviceUnavailable, detail: "too many subscribers; try again later")
    }

    package var status: HTTPResponse.Status { HTTPResponse.Status(code: statusCode) }

    /// A malformed request.
    static func badRequest(_ detail: String) -> ProblemDetails {
        ProblemDetails(
            statusCode: HTTPResponse.Status.badRequest.code,
            kind: "bad-request",
            title: "the request is malformed",
            detail: detail
        )
    }

    /// An error of HTTP itself, not of the bridge.
    init(status: HTTPResponse.Status, detail: String) {
        self.init(
            statusCode: status.code,
            kind: "http",
            title: status.reasonPhrase.lowercased(),
            detail: detail
        )
    }
}
