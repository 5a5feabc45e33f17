/// How the page looks.
enum PageStyle {
  /// The whole style sheet; neither '<' nor '&' occurs in it.
  static let all =
    "\n" + PagePalette.rules + text + frame + parts + SectionStyle.rules + GraphStyle.rules
    + PrintStyle.rules

  private static let text = """
    * { box-sizing: border-box; }
    html {
      font: clamp(16px, 0.5vw + 11px, 22px)/1.55 system-ui, "Segoe UI", "Noto Sans",
        "Liberation Sans", sans-serif;
      background: var(--paper); color: var(--ink);
      -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
    }
    body { margin: 0; }
    h1, h2, h3, h4, h5 { line-height: 1.25; font-weight: 600; text-wrap: balance; margin: 0; }
    h1, h2 { font-family: "Iowan Old Style", Charter, "Source Serif 4", Georgia, "Noto Serif",
      "Liberation Serif", serif; font-weight: 500; letter-spacing: -0.01em; }
    h1 { font-size: clamp(2rem, 4.2vw, 3.1rem); }
    h2 { font-size: 1.75rem; }
    h3 { font-size: 1.45rem; }
    h4 { font-size: 1.1rem; }
    h5 { font-size: 0.78rem; letter-spacing: 0.07em; text-transform: uppercase;
      color: var(--faint); margin: 0 0 0.6rem; }
    p { margin: 0 0 0.8rem; text-wrap: pretty; }
    ul, ol { margin: 0; padding: 0; list-style: none; }
    small { font-size: 0.85em; color: var(--faint); }
    code, kbd, pre, .counts, .graph text { font-family: ui-monospace, "SF Mono", "Cascadia Mono",
      Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }
    code { font-size: 0.9em; overflow-wrap: anywhere; unicode-bidi: isolate; }
    pre { margin: 0; line-height: 1.5; tab-size: 2; }
    pre code { overflow-wrap: normal; }
    a { color: var(--link); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
    a:hover { text-decoration-thickness: 2px; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 3px; }
    figure { margin: 0; }
    q { quotes: "“" "”"; }
    .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; white-space: nowrap;
      clip-path: inset(50%); }
    .scroll { overflow-x: auto; max-width: 100%; position: relative; }

    """

  private static let frame = """
    header.page, main, footer.page { max-width: 78rem; margin-inline: auto;
      padding-inline: clamp(1rem, 4vw, 3.5rem); }
    header.page { padding-top: clamp(1.2rem, 4vw, 3rem); padding-bottom: 1rem; }
    .skip { position: absolute; left: 1rem; top: -6rem; z-index: 2; background: var(--card);
      padding: 0.5rem 1rem; }
    .skip:focus { top: 0.8rem; }
    .brand { color: var(--faint); font-size: 0.9rem; letter-spacing: 0.04em; margin-bottom: 0.4rem; }
    .lead { font-size: 1.15rem; margin: 0.9rem 0 0.6rem; }
    .about { color: var(--faint); max-width: 44rem; }
    .notice { border-left: 4px solid var(--race); padding-left: 0.8rem; }
    .controls { float: right; display: flex; gap: 0.6rem; align-items: center; font-size: 0.85rem; }
    .controls fieldset { border: 1px solid var(--rule); border-radius: 2rem; padding: 0.15rem;
      margin: 0; display: flex; position: relative; }
    .controls input { position: absolute; opacity: 0; width: 1px; height: 1px; }
    .controls label { padding: 0.15rem 0.7rem; border-radius: 2rem; cursor: pointer;
      color: var(--faint); }
    .controls input:checked + label { background: var(--shade); color: var(--ink);
      text-decoration: underline; text-underline-offset: 0.25em; }
    .controls input:focus-visible + label { outline: 3px solid var(--link); }
    button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--rule);
      border-radius: 2rem; padding: 0.25rem 0.8rem; cursor: pointer; }
    kbd { display: inline-block; min-width: 1.7em; text-align: center; font-size: 0.85em;
      border: 1px solid var(--rule); border-bottom-width: 2px; border-radius: 4px;
      padding: 0 0.35em; background: var(--shade); }
    dialog { border: 1px solid var(--rule); border-radius: 12px; background: var(--card);
      color: var(--ink); padding: 1.6rem 2rem; }
    dialog::backdrop { background: rgb(0 0 0 / 0.45); }
    dialog dl { margin: 1rem 0; }
    dialog dl div { display: flex; gap: 1rem; padding: 0.2rem 0; }
    dialog dt { width: 5rem; display: flex; gap: 0.3rem; }
    dialog dd { margin: 0; }
    footer.page { color: var(--faint); font-size: 0.9rem; padding-block: 3rem; }
    @media (max-width: 40rem) { .controls { float: none; margin-bottom: 1rem; } }

    """

  private static let parts = """
    .verdict strong { letter-spacing: 0.02em; }
    .verdict.clean { --tone: var(--clean); } .verdict.leak { --tone: var(--leak); }
    .verdict.race { --tone: var(--race); } .verdict.split { --tone: var(--split); }
    .verdict > span:first-child, .verdict strong { color: var(--tone); }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th { font-weight: 600; text-align: left; }
    thead th { color: var(--faint); font-weight: 500; font-size: 0.85em; }
    .alarm { border: 2px solid var(--leak); border-radius: 12px; padding: 1.2rem 1.5rem;
      margin: 1rem 0 2rem; background: var(--card); }
    .differences { margin: 0.3rem 0 0.8rem; }
    .differences li { padding-left: 1.2rem; text-indent: -1.2rem; color: var(--leak); }
    .differences li::before { content: "≠ "; display: inline-block; width: 1.2rem; text-indent: 0; }
    .matrix { margin: 1.5rem 0 4rem; }
    .legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.6rem; margin: 0.7rem 0 1.4rem;
      color: var(--faint); font-size: 0.95rem; }
    .matrix .panel { background: var(--card); border: 1px solid var(--rule);
      border-radius: 12px; padding: 0.9rem 1.2rem 0.6rem; margin-bottom: 1.1rem; }
    .panel h3 { font-size: 1.05rem; padding-bottom: 0.3rem; }
    .matrix th, .matrix td { padding: 0.45rem 1rem 0.45rem 0; vertical-align: top;
      white-space: nowrap; }
    .matrix tbody tr { border-top: 1px solid var(--rule); }
    .matrix tbody th { font-weight: 500; padding-right: 2rem; }
    .matrix td.none { color: var(--rule); }
    .matrix a.verdict { display: block; text-decoration: none; color: var(--tone); line-height: 1.3; }
    .matrix a.verdict:hover { text-decoration: underline; }
    .matrix a.verdict small { display: block; font-size: 0.75rem; width: min-content;
      white-space: normal; }
    .matrix tbody th small { display: block; font-weight: 400; white-space: normal;
      min-width: 11rem; max-width: 19rem; line-height: 1.3; }
    .matrix a.verdict strong { display: block; font-size: 0.8rem; }

    """
}

/// How the sections on scenarios and endings look.
enum SectionStyle {
  static let rules = """
    .document > h2 { margin: 4.5rem 0 0; padding-top: 1.2rem; border-top: 3px double var(--rule); }
    .scenario { padding-top: 3rem; scroll-margin-top: 0; }
    .scenario:focus-visible, .matrix:focus-visible { outline: none; }
    .scenario:focus-visible > h3, .matrix:focus-visible > h2 {
      outline: 3px solid var(--link); outline-offset: 4px; border-radius: 3px;
      width: fit-content; }
    h3 code, h4 code { font-size: 0.92em; margin-right: 0.7rem; }
    h3 .phrase, h4 .phrase { font-weight: 400; }
    .scenario > .meta { color: var(--faint); font-size: 0.9rem; margin: 0.3rem 0 1.2rem;
      overflow-wrap: anywhere; }
    .question { max-width: 50rem; margin-bottom: 1.4rem; }
    .question summary { font-family: "Iowan Old Style", Charter, Georgia, "Noto Serif",
      "Liberation Serif", serif; font-size: 1.2rem; line-height: 1.4; cursor: pointer;
      padding-left: 1.4rem; list-style: none; position: relative; text-wrap: pretty; }
    .question summary::-webkit-details-marker { display: none; }
    .question summary::before { content: "▸"; position: absolute; left: 0; color: var(--faint); }
    .question[open] summary::before { content: "▾"; }
    .question summary::after { content: "hint"; font: 0.85rem system-ui, sans-serif;
      display: inline-block; margin-left: 0.4rem; color: var(--link);
      text-decoration: underline; text-underline-offset: 0.2em; }
    .question p { margin: 0.5rem 0 0 1.4rem; }
    figure.code figcaption { font-size: 0.85rem; color: var(--faint); margin-bottom: 0.35rem; }
    figure.code .scroll { background: var(--shade); border-radius: 10px; padding: 0.9rem 1.1rem; }
    .comment { color: var(--faint); font-style: italic; } .keyword { color: var(--keyword); }
    .type { color: var(--type); } .text { color: var(--string); }
    .missing { color: var(--faint); font-style: italic; }
    .ending { background: var(--card); border: 1px solid var(--rule); border-radius: 14px;
      padding: clamp(1rem, 2.5vw, 1.8rem); margin: 1.4rem 0; scroll-margin-top: 0.6rem; }
    .ending > .verdict { margin: 0.25rem 0 1.1rem; }
    .columns { display: grid; gap: 1.5rem clamp(1.5rem, 4vw, 3.5rem); margin-bottom: 1.2rem; }
    .columns > * { min-width: 0; }
    @media (min-width: 62rem) {
      .columns { grid-template-columns: 1fr 1fr; }
      .columns.wide { grid-template-columns: 1fr; }
      .columns.wide .chains { columns: 2; column-gap: clamp(1.5rem, 4vw, 3.5rem); }
    }
    .steps { counter-reset: step; border-left: 2px solid var(--rule); margin-left: 0.75rem; }
    .steps > li { counter-increment: step; position: relative; padding: 0 0 0.7rem 1.5rem; }
    .steps > li:last-child { padding-bottom: 0; }
    .steps > li::before { content: counter(step); position: absolute; left: -0.83rem; top: 0.05rem;
      width: 1.55rem; height: 1.55rem; line-height: 1.45rem; border-radius: 50%; text-align: center;
      font-size: 0.78rem; background: var(--card); border: 2px solid var(--rule);
      color: var(--faint); }
    .steps ul { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; font-size: 0.88rem; }
    .steps ul li { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas,
      "DejaVu Sans Mono", monospace; font-size: 0.92em; overflow-wrap: anywhere; }
    .steps .released { color: var(--clean); } .steps .born { color: var(--link); }
    .steps .note, .steps .nothing { color: var(--faint); }
    .counts { font-size: 0.85rem; width: 100%; margin-bottom: 0.9rem; }
    .counts th, .counts td { padding: 0.18rem 0.9rem 0.18rem 0; text-align: right; white-space: nowrap; }
    .counts th:first-child { text-align: left; white-space: normal; }
    .counts code { overflow-wrap: normal; font-size: 1em; }
    .counts thead th { font-family: system-ui, sans-serif; border-bottom: 1px solid var(--rule); }
    .counts tbody th { font-weight: 400; }
    .counts .remark { text-align: left; padding-right: 0; white-space: nowrap; }
    .counts .left td:nth-last-child(-n+2) { color: var(--leak); font-weight: 600; }
    .explanation { max-width: 46rem; border-left: 3px solid var(--link); padding-left: 1rem;
      margin: 0.4rem 0 1.4rem; }
    .chain { margin-bottom: 1.1rem; break-inside: avoid; }
    .chain p { margin-bottom: 0.25rem; }
    .chain li { padding-left: calc(var(--depth, 0) * 0.9rem); line-height: 1.45;
      font-size: 0.92rem; overflow-wrap: anywhere; }
    .chain li:not(.start)::before { content: "└ "; color: var(--faint); }
    .chain .reference { color: var(--faint); }
    .chain .survivor { color: var(--leak); font-weight: 600; }
    .chain .cut code { text-decoration: underline wavy 1px; text-underline-offset: 0.25em; }
    .chain .cut strong { margin-left: 0.6rem; color: var(--leak); font-weight: 500;
      white-space: nowrap; }
    .claims li { display: flex; gap: 0.7rem; max-width: 50rem; margin-bottom: 0.5rem; }
    .claims p { margin: 0; }
    .claims .mark { font-weight: 700; } .claims .holds .mark { color: var(--clean); }
    .claims .fails .mark { color: var(--leak); }
    .claims .original { color: var(--faint); font-size: 0.85rem; overflow-wrap: anywhere; }
    .onwards { display: flex; flex-wrap: wrap; gap: 0.3rem 1.6rem; font-size: 0.95rem; }
    @media (max-width: 30rem) {
      .matrix th, .matrix td, .matrix tbody th { padding-right: 0.5rem; }
      .matrix tbody th small { min-width: 6.5rem; }
      .counts th, .counts td { padding-right: 0.4rem; font-size: 0.8rem; }
    }

    """
}

/// How the pictures look; sizes of letters are those that `GraphText` counts with.
enum GraphStyle {
  static let rules = """
    svg.graph { display: block; height: auto; }
    .graph text { font-size: \(Int(GraphText.letters))px; fill: var(--ink); }
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

/// The page's colours, by day and by night.
enum PagePalette {
  private static let light = """
    color-scheme: light;
    --paper: #faf8f3; --card: #fffefb; --shade: #f2eee5; --rule: #ddd7ca; --ink: #22262a;
    --faint: #5c6166; --link: #0b5584; --leak: #ab2217; --clean: #1c6b3d; --race: #8a4b00;
    --split: #6a3d9a; --keyword: #8a2a6b; --type: #1d5f73; --string: #8a4b00;
    """

  private static let dark = """
    color-scheme: dark;
    --paper: #15181b; --card: #1b1f23; --shade: #23282d; --rule: #394047; --ink: #e8e5de;
    --faint: #a5abb0; --link: #83c5f0; --leak: #ff948a; --clean: #83d5a3; --race: #eabb73;
    --split: #cdb0f3; --keyword: #f09dc9; --type: #86cfe0; --string: #eabb73;
    """

  /// By the system's preference, unless the reader has chosen; paper is always light.
  static let rules = """
    :root { \(light) }
    @media (prefers-color-scheme: dark) { :root { \(dark) } }
    :root:has(#theme-light:checked) { \(light) }
    :root:has(#theme-dark:checked) { \(dark) }
    @media print { :root:root:root { \(light) --paper: #fff; --card: #fff; } }

    """
}

/// How the page looks on paper.
enum PrintStyle {
  static let rules = """
    @page { margin: 16mm 14mm; }
    @media print {
      html { font-size: 8.5pt; }
      .controls, .skip, dialog, .onwards a[href="#matrix"] { display: none !important; }
      header.page, main, footer.page { max-width: none; padding-inline: 0; }
      a { color: inherit; text-decoration: underline; }
      .ending, .panel, figure.code, .chain, .claims li, .steps > li, table, svg.graph {
        break-inside: avoid; }
      h2, h3, h4, h5, .meta, .question { break-after: avoid; }
      .question { break-inside: avoid; }
      .document > h2 { break-before: page; border-top: none; padding-top: 0; margin-top: 0; }
      .columns { grid-template-columns: 1fr 1fr; }
      .columns.wide { grid-template-columns: 1fr; }
      .columns.wide .chains { columns: 2; }
      .scroll { overflow: visible; }
      svg.graph { max-width: 100%; max-height: 11.5cm; }
      pre { white-space: pre-wrap; }
      .question::details-content { content-visibility: visible; display: block; }
      .question summary::before, .question summary::after { content: none; }
      .question summary { padding-left: 0; }
      .matrix th, .matrix td { padding-right: 0.7rem; }
    }

    """
}
