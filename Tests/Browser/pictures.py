"""Screenshots compared with recorded ones, and the contrast of colours."""

import base64
import os

# The colours of a page as numbers, by the names that its style sheet has for them.
COLORS = """(() => {
  const style = getComputedStyle(document.documentElement), colors = {};
  for (const name of ["ink", "faint", "link", "leak", "clean", "race", "split", "keyword", "type",
    "string", "paper", "card", "shade"]) {
    const probe = document.createElement("i");
    probe.style.color = style.getPropertyValue("--" + name);
    document.body.append(probe);
    colors[name] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
    probe.remove();
  }
  return colors;
})()"""

# How far two pictures are from each other: each as 64 fields across, the mean difference and the
# largest of a field, of 255. Other fonts move letters a little; that is no difference.
DIFFERENCE = """(async (one, other) => {
  const fields = async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const [width, height] = [64, Math.round(64 * image.height / image.width)];
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    return { size: [image.width, image.height],
      data: Array.from(context.getImageData(0, 0, width, height).data) };
  };
  const [a, b] = [await fields(one), await fields(other)];
  if (a.size.join() !== b.size.join()) return { sizes: [a.size, b.size] };
  const far = a.data.map((value, place) => Math.abs(value - b.data[place]));
  return { mean: far.reduce((sum, value) => sum + value, 0) / far.length,
    most: Math.max(...far) };
})"""


def contrast(front, back):
    """See https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio."""
    def luminance(color):
        parts = [part / 255 for part in color[:3]]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    light, dark = sorted([luminance(front), luminance(back)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def compare(browser, picture, path):
    """Why a picture is not the recorded one; None where it is."""
    if os.environ.get("MEMLAB_RECORD"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(picture)
        return None
    with open(path, "rb") as file:
        recorded = file.read()
    browser.open("about:blank")
    texts = [base64.b64encode(data).decode() for data in [picture, recorded]]
    found = browser.run("%s('%s', '%s')" % (DIFFERENCE, *texts))
    if "sizes" in found or found["mean"] > 4 or found["most"] > 110:
        with open(path.replace(".png", ".seen.png"), "wb") as file:
            file.write(picture)
        return "%s; see %s" % (found, path.replace(".png", ".seen.png"))
    return None
