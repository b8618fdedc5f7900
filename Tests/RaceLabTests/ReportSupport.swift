import Foundation
import FoundationXML
import Model
import RaceLab
import Testing

/// A tap that the app saves over, told by hand.
func lostTap(actor: String = "app") throws -> Picture {
    var story = Story()
    let (empty, tap, save) = (story.version(), story.version(1), story.version(2))
    story.subscribes(empty)
    story.saves(Story.widget, 1, tap, over: empty)
    story.brings(.app, tap, over: empty)
    story.saves(Story.app, 2, save, over: tap, knowing: empty)
    story.brings(.group, save, over: tap)
    story.tells(save, generation: 1)
    story.reads(Story.widget, save)
    story.rests(app: save, group: save)
    var scenario = try Scenario(
        yaml: "{documents: [a.json], actors: {app: {does: [write]}, widget: {does: [write]}, agent: {}}}",
        file: "story"
    )
    scenario.actors[0].name = actor
    var history = story.history
    history.lanes[Story.app].name = actor
    let anomalies = judge(history).anomalies
    try #require(anomalies.map(\.kind) == [.lostUpdate])
    return Picture(SavedSchedule(scenario: scenario, schedule: Schedule()), history, anomalies)
}

func parsed(_ xml: String) -> Elements? {
    let elements = Elements()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = elements
    return parser.parse() ? elements : nil
}

/// What an XML text holds.
final class Elements: NSObject, XMLParserDelegate {
    private(set) var all: [(name: String, attributes: [String: String])] = []

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        all.append((name, attributes))
    }

    func named(_ name: String) -> [[String: String]] { all.filter { $0.name == name }.map(\.attributes) }
}
