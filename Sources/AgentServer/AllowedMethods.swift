import AgentAPI
import HTTPTypes
import Hummingbird

/// Answers 405 for a known path with another method, and lists the methods it has (RFC 9110, 15.5.6).
struct AllowedMethods: RouterMiddleware {
    typealias Context = RequestContextOnChannel

    private let routes: [(path: RouterPath, method: HTTPRequest.Method)]

    init(_ routes: [(RouterPath, HTTPRequest.Method)]) { self.routes = routes }

    @concurrent func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let allowed = methods(of: request.uri.path)
        guard !allowed.isEmpty, !allowed.contains(request.method.rawValue) else {
            return try await next(request, context)
        }
        let list = allowed.joined(separator: ", ")
        let detail = "\(request.uri.path) takes \(list), not \(request.method)"
        var response = ProblemDetails(status: .methodNotAllowed, detail: detail).response()
        response.headers[.allow] = list
        return response
    }

    private func methods(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        let known = routes.filter { Self.leads($0.path, to: parts) }.map(\.method.rawValue)
        // The router answers HEAD wherever it answers GET.
        return Set(known + (known.contains("GET") ? ["HEAD"] : [])).sorted()
    }

    private static func leads(_ route: RouterPath, to parts: [Substring]) -> Bool {
        let isOpen = route.components.last == RouterPath.Element.recursiveWildcard
        guard isOpen ? parts.count >= route.count : parts.count == route.count else { return false }
        return zip(route, parts).allSatisfy { $0 ~= $1 }
    }
}
