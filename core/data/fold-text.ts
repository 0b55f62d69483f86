/**
 * Folds a text for searching: what differs only in case, accents, width, kind of kana, of apostrophe or of hyphen, or in
 * invisible characters becomes the same, so that `Ångström` and `ANGSTROM` do, `Straße` and `STRASSE`, and `O’Neill` and
 * `O'NEILL`. Signs of vowels stay. Each character is folded by itself, so what a text contains is also in the folded text.
 */
export function foldText(text: string): string {
  // In ASCII, only the case and one apostrophe vary.
  if (/^[\0-\x7f]*$/.test(text)) return text.toUpperCase().replaceAll("`", "'")
  return text
    // Decomposed, they would be spaces with an accent.
    .replace(/[´\u1ffd]/g, "'")
    .normalize("NFKD")
    .replace(ignored, "")
    // Twice, for letters that have only one of both: ẞ becomes ß and then SS.
    .toLowerCase()
    .toUpperCase()
    .replace(/[ØŁĐÐĦŦァ-ヶ]/g, (letter) => strokes[letter] ?? hiraganaOf(letter))
    .replace(apostrophes, "'")
    .replace(hyphens, "-")
}

/** The fewest digits of a search for a number, such as a telephone number, in any notation. */
const fewestDigits = 5

/**
 * The fewest and the most digits of a telephone number after `+` or zeros, and how many of its last digits are the same
 * in every notation.
 */
const [fewestCalled, mostCalled, sameDigits] = [8, 15, 9]

/** What numbers are written with. */
const numberPart = /^[\d+()./-]+$/

/**
 * Folds the terms of a search: `searchableText` of a text that has a term contains it. Only the digits of a number are
 * left, unless there are few: `1-2` is not a telephone number. A number with a code in front, `+44 …` or `07 …`,
 * becomes one term: its last digits, which are the same with a country's code and without.
 */
export function foldTerms(terms: readonly string[]): string[] {
  const folded = terms.map(foldText)
  const parts = folded.filter((term) => numberPart.test(term))
  const number = parts.join("").replaceAll(trunk, "")
  if (digitsOf(number).length < fewestDigits) return folded
  const called = /^\(?(\+|0+)(.*)$/.exec(number)
  const digits = digitsOf(called?.[2] ?? "")
  if (digits.length >= fewestCalled && digits.length <= mostCalled) {
    return [...folded.filter((term) => !numberPart.test(term)), digits.slice(-sameDigits)]
  }
  return folded.map((term) => numberPart.test(term) ? digitsOf(term.replaceAll(trunk, "")) : term)
}

/** Folds a text that is searched, and adds a line with the digits of each number that has something between them. */
export function searchableText(text: string): string {
  const folded = foldText(text)
  const numbers = folded.match(/[\d +()./-]{3,}/g)?.filter((run) => /\d\D+\d/.test(run)) ?? []
  const lines = numbers.flatMap((run) => [digitsOf(run), digitsOf(run.replaceAll(trunk, ""))])
  return [folded, ...new Set(lines)].join("\n")
}

/** Left out in calls from abroad: `+44 (0)20` is +44 20. */
const trunk = "(0)"

function digitsOf(text: string): string {
  return text.replace(/\D/g, "")
}

const ignored = /[\p{M}&&[\p{Diacritic}\p{Script=Inherited}]]|\p{Default_Ignorable_Code_Point}/gv

/** Keyboards, phones and word processors write different ones. */
const apostrophes = /[`‘’‛′ʹʻʼʽ]/g
const hyphens = /[‐‑‒–—―−]/g

/** Letters that are one with an accent to readers, but that Unicode does not decompose. */
const strokes: Readonly<Record<string, string>> = { Ø: "O", Ł: "L", Đ: "D", Ð: "D", Ħ: "H", Ŧ: "T" }

function hiraganaOf(katakana: string): string {
  return String.fromCharCode(katakana.charCodeAt(0) - 0x60)
}
