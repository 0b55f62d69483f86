/**
 * Removes case, accents and width, like the accent- and case-insensitive collations of MySQL:
 * `Ångström` and `ANGSTROM` become the same text.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[øłđħŧı]/g, (letter) => strokes[letter] ?? letter)
}

/** Letters that the collations fold but Unicode does not decompose. */
const strokes: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ħ: "h", ŧ: "t", ı: "i" }
