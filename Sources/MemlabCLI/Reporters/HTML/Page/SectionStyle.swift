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
