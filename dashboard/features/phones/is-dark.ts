// Whether a colour needs white text.

/** The relative luminance (WCAG) at which black and white text have the same contrast. */
const MIDDLE = 0.179

/** `color` is `#rrggbb`. */
export function isDark(color: string): boolean {
  const linear = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = linear
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < MIDDLE
}
