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
