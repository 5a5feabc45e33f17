/// How the pictures look; sizes of letters are those that `TextMetrics` counts with.
enum GraphStyle {
  static let rules = """
    svg.graph { display: block; height: auto; }
    .graph text { font-size: \(Int(TextMetrics.size))px; fill: var(--ink); }
    .graph .box text { text-anchor: middle; }
    .graph rect { fill: var(--paper); stroke: var(--faint); stroke-width: 1.2; }
    .graph .root rect { fill: var(--shade); }
    .graph .passage rect { stroke-dasharray: 4 3; }
    .graph .left rect { stroke: var(--leak); stroke-width: 2.4; }
    .graph .remark { fill: var(--leak) !important; font-weight: 600; }
    .graph .line { fill: none; stroke: var(--faint); stroke-width: 1.5; }
    .graph .head { fill: var(--faint); }
    .graph .cut .line { stroke: var(--leak); stroke-width: 2.4; stroke-dasharray: 7 4; }
    .graph .cut .head { fill: var(--leak); }
    .graph .label .name { fill: var(--faint); }

    """
}
