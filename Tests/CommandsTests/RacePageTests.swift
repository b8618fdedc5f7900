import Foundation
import RaceLab
import TestWorld
import Testing

@testable import Commands

/// Without a browser these tests are skipped.
private let browser = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .flatMap { path in ["chromium", "chromium-browser", "google-chrome"].map { "\(path)/\($0)" } }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite("A race's page in a browser", .enabled(if: browser != nil))
struct RacePageTests {
    /// The lines that a script printed at the end of the page.
    private func said(
        _ page: String,
        by script: String,
        in directory: String,
        size: String = "1200,900"
    ) async throws -> [String] {
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let asked = text.replacing("</body>", with: "<script>\(Self.support)\(script)</script></body>")
        try write(asked, to: "\(directory)/asked.html")
        let flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(directory)/browser",
            "--dump-dom", "--window-size=\(size)",
        ]
        let command = try [#require(browser)] + flags + ["file://\(directory)/asked.html"]
        let ended = try await Running(command: command, environment: ["TMPDIR": directory]).ended()
        let said = ended.output.split(separator: "<pre id=\"said\">").dropFirst().first
        let lines = try #require(said?.split(separator: "</pre>").first, "\(ended)")
        return lines.split(separator: "\n").map(String.init)
    }

    /// `press` does what a key does, and returns the step with the focus and its text.
    private static let support = """
        const said = document.body.appendChild(document.createElement('pre'));
        said.id = 'said';
        const say = text => { said.textContent += text + '\\n'; };
        const place = () => `${document.activeElement.id}: ${detail.hidden ? '' : detail.innerText}`;
        const press = key => {
          document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
          say(`${key} ${place().replace(/\\n[^]*/, '')}`);
        };
        """

    @Test("can be stepped through with the keyboard, and loads nothing")
    func keyboard() async throws {
        try await withDirectory { directory in
            let page = "\(directory)/race.html"
            _ = await run(["race", "explore", "stat-recheck", "--html", page])
            let script = """
                press('n'); press('ArrowRight'); press('ArrowLeft'); press('ArrowUp'); press('ArrowDown');
                say(document.querySelectorAll('svg .step[tabindex="0"]').length);
                say(document.activeElement.getAttribute('tabindex'));
                press('Escape'); press('ArrowRight');
                document.querySelector('.verdict a').click();
                say(place().split('\\n')[1]);
                say(document.querySelectorAll('.guilt.shown').length);
                say(performance.getEntriesByType('resource').length);
                """
            let lines = try await said(page, by: script, in: directory)
            #expect(
                lines == [
                    "n p0-s11: step 11 · 1020.180 ms · agent · turn",
                    "ArrowRight p0-s12: step 12 · 1020.190 ms · agent · turn",
                    "ArrowLeft p0-s11: step 11 · 1020.180 ms · agent · turn",
                    "ArrowUp p0-s10: step 10 · 1020.170 ms · app · write",
                    "ArrowDown p0-s11: step 11 · 1020.180 ms · agent · turn",
                    // The Tab key continues from there, and returns to it.
                    "1", "0",
                    "Escape p0-s11: ", "ArrowRight p0-s11: ",
                    "C → B in app", "1", "0",
                ]
            )
        }
    }

    @Test("shows on a phone the verdict and the guilty steps first, and is no wider than it")
    func phone() async throws {
        try await withDirectory { directory in
            let page = "\(directory)/race.html"
            _ = await run(["race", "explore", "stat-recheck", "--html", page])
            // A window cannot be as narrow as a phone, but a frame can. It has the page without its script.
            let script = """
                const text = document.documentElement.outerHTML.replace(/<script>[^]*?<\\/script>/g, '');
                const frame = document.body.appendChild(document.createElement('iframe'));
                [frame.width, frame.height, frame.style.border] = [390, 844, 0];
                frame.onload = () => {
                  const phone = frame.contentDocument;
                  const end = one => phone.querySelector(one).getBoundingClientRect().bottom;
                  say(phone.scripts.length + ' ' + frame.contentWindow.innerWidth);
                  say(phone.documentElement.scrollWidth <= 390);
                  say(end('h2.verdict') < end('.guilty') && end('.guilty') < 500);
                };
                frame.srcdoc = '<!DOCTYPE html>' + text;
                const guilt = document.querySelector('.guilt').getBoundingClientRect();
                say(guilt.left > 100 && guilt.right < innerWidth);
                """
            let lines = try await said(page, by: script, in: directory, size: "500,844")
            #expect(lines == ["true", "0 390", "true", "true"])
        }
    }

    @Test("shows which step has the focus")
    func focus() async throws {
        try await withDirectory { directory in
            let page = "\(directory)/race.html"
            _ = await run(["race", "explore", "stat-recheck", "--html", page])
            let script = """
                const line = () => getComputedStyle(document.querySelector('#p0-s1 .touch')).stroke;
                const before = line();
                document.getElementById('p0-s1').focus();
                say(before);
                say(line());
                """
            let lines = try await said(page, by: script, in: directory)
            #expect(lines == ["none", "rgb(11, 87, 164)"])
        }
    }
}
