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
