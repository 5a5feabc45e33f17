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
