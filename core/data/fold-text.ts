/**
 * Folds a text for searching: what differs only in case, accents, width, kind of kana or invisible characters becomes the
 * same, so that `Ångström` and `ANGSTROM` do, and `Straße` and `STRASSE`. Signs of vowels stay. Each character is folded
 * by itself, so what a text contains is also in the folded text.
 */
export function foldText(text: string): string {
  // Of ASCII, only the case.
  if (/^[\0-\x7f]*$/.test(text)) return text.toUpperCase()
  return text
    .normalize("NFKD")
    .replace(ignored, "")
    // Twice, for letters that have only one of both: ẞ becomes ß and then SS.
    .toLowerCase()
    .toUpperCase()
    .replace(/[ØŁĐÐĦŦァ-ヶ]/g, (letter) => strokes[letter] ?? hiraganaOf(letter))
}

const ignored = /[\p{M}&&[\p{Diacritic}\p{Script=Inherited}]]|\p{Default_Ignorable_Code_Point}/gv

/** Letters that are one with an accent to readers, but that Unicode does not decompose. */
const strokes: Readonly<Record<string, string>> = { Ø: "O", Ł: "L", Đ: "D", Ð: "D", Ħ: "H", Ŧ: "T" }

function hiraganaOf(katakana: string): string {
  return String.fromCharCode(katakana.charCodeAt(0) - 0x60)
}
