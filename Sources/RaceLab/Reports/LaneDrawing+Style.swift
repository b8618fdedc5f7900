extension LaneDrawing {
    /// Light or dark by the reader's system setting; for a drawing alone and in a page.
    static let style = """
        svg.race { --paper: #fdfdfb; --ink: #1c1e21; --faint: #565d67; --bar: #e6e9ee; --edge: #5f6772;
          --red: #c62828; --blame: #c628281a; --arrow: #5c6773; --focus: #0b57a4;
          font: 11px system-ui, sans-serif; color: var(--ink); }
        @media (prefers-color-scheme: dark) {
          svg.race { --paper: #16181c; --ink: #e8eaed; --faint: #a3aab4; --bar: #2a2f37; --edge: #969da7;
            --red: #ff8a80; --blame: #ff8a8022; --arrow: #9aa5b1; --focus: #8ab8ff; }
        }
        .race .ground { fill: var(--paper); }
        .race text { fill: var(--ink); }
        .race .name { font-weight: 600; font-size: 13px; }
        .race .kind, .race .call text { fill: var(--faint); font-size: 10px; } .race .track { text-anchor: end; }
        .race .side, .race .said, .race .where { font-size: 10px; } .race .side, .race .said { text-anchor: middle; }
        .race .side, .race .said { paint-order: stroke; stroke: var(--paper); stroke-width: 3; }
        .race .write, .race .document { font-weight: 700; }
        .race .lane { stroke: var(--edge); stroke-dasharray: 1 4; }
        .race .call rect { fill: var(--bar); stroke: var(--edge); }
        .race .call.died rect { stroke: var(--red); stroke-dasharray: 3 2; }
        .race .call.refused rect, .race .call.unfinished rect { stroke-dasharray: 3 2; }
        .race .guilt rect { fill: var(--blame); stroke: var(--red); }
        .race .fault { fill: var(--red); font-weight: 600; }
        .race .flow { fill: none; stroke: var(--arrow); stroke-width: 1.3; }
        .race .flow.reload { stroke-dasharray: 5 3; }
        .race .flow.blame { stroke: var(--red); stroke-width: 1.8; }
        .race .tip { fill: var(--arrow); } .race marker.blame { fill: var(--red); }
        .race .touch { fill: transparent; }
        .race .quiet { fill: var(--faint); }
        .race .dot { stroke: var(--ink); stroke-width: 1; }
        .race .letter { fill: #14161a; font-size: 10px; font-weight: 700; text-anchor: middle; }
        .race .letter.none { fill: var(--ink); }
        .race .culprit { fill: none; stroke: var(--red); stroke-width: 2.5; }
        .race .death { stroke: var(--red); stroke-width: 3; fill: none; }
        .race .birth { fill: var(--ink); }
        .race .pause, .race .onward, .race .pen, .race .ring { stroke: var(--ink); fill: none; }
        .race .pause { stroke-width: 3; } .race .onward { stroke-width: 2; }
        .race .halt { stroke: var(--ink); stroke-width: 3; stroke-dasharray: 2 4; }
        .race .screen { fill: var(--paper); stroke: var(--ink); }
        .race .close { stroke: var(--edge); }
        .race .step { cursor: pointer; outline: none; }
        .race .step:focus .touch, .race .step:hover .touch { fill: var(--ink); fill-opacity: .14; }
        .race .step:focus .touch { stroke: var(--focus); stroke-width: 2; }
        .race .step:focus .dot, .race .step:focus .death { stroke: var(--focus); stroke-width: 3; }
        .race .guilt.shown rect { stroke-width: 2.5; }
        """
}
