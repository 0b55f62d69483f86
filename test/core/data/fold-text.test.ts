import t from "tap"
import { foldTerms, foldText, searchableText } from "../../../core/data/fold-text.ts"

/** Every character but surrogates, which no UTF-8 has, and planes without any. */
const characters = Array.from({ length: 0xe1000 }, (_, code) => code)
  .filter((code) => (code < 0xd800 || code > 0xdfff) && (code < 0x40000 || code > 0xdffff))
  .map((code) => String.fromCodePoint(code))

/** Texts that are the same to somebody who searches. */
const same: [text: string, other: string][] = [
  ["Ångström", "ANGSTROM"],
  ["A\u030angstro\u0308m", "Ångström"],
  ["Łukasz", "lukasz"],
  ["Đặng", "dang"],
  ["Straße", "STRASSE"],
  ["STRAẞE", "strasse"],
  ["İpek Işık", "ipek isik"],
  ["ΟΔΥΣΣΕΑΣ", "οδυσσεας"],
  ["ΟΔΟΣ", "οδοσ"],
  ["ﬁnﬂuﬀ", "FINFLUFF"],
  ["Ǆ", "dž"],
  ["１２３ ＡＤＡ", "123 ada"],
  ["ｶﾞｷﾞ", "がぎ"],
  ["カタカナ", "かたかな"],
  ["한글", "한글".normalize("NFD")],
  ["أحمد", "احمد"],
  ["مُحَمَّد", "محمد"],
  ["שָׁלוֹם", "שלום"],
  ["น้ำ", "นํา"],
  ["Mül\u00adler\u200d", "muller"],
  ["❤\ufe0f", "❤"],
  ["𝐀𝒹𝔸", "ada"],
  ["ꭰ", "Ꭰ"],
  ["㎏ ½", "kg 1⁄2"],
  ...[..."’‘ʼʻ`´′‛＇"].map((apostrophe): [string, string] => [`O${apostrophe}Néill`, "o'neill"]),
  ...[..."‑‐‒–—−－"].map((hyphen): [string, string] => [`Anne${hyphen}Marie`, "anne-marie"]),
]
const different: [text: string, other: string][] = [
  ["राम", "रोम"],
  ["กิน", "กน"],
  ["l", "1"],
  ["o", "0"],
  ["あ", "い"],
  ["э", "е"],
  ["", " "],
  ["O'Neill", "ONeill"],
  ["Anne-Marie", "Anne Marie"],
]

t.test("foldText makes the same of texts that differ in case, accents, width and kana, and in nothing else", (t) => {
  for (const [text, other] of same) t.equal(foldText(text), foldText(other), `${text} is ${other}`)
  for (const [text, other] of different) t.not(foldText(text), foldText(other))
  t.end()
})

t.test("foldText changes only the case of ASCII, and one apostrophe", (t) => {
  for (const character of characters.slice(0, 0x80)) {
    const upper = character.replace(/[a-z]/, (letter) => letter.toUpperCase())
    t.equal(foldText(character), character === "`" ? "'" : upper)
  }
  t.notOk(
    characters.slice(0x80).some((character) => /^[\n\0]$/.test(foldText(character))),
    "nothing else becomes a character of control",
  )
  t.end()
})

t.test("foldText folds each character by itself, in every case and normal form, and what it has folded stays", (t) => {
  const forms = ["NFC", "NFD", "NFKC", "NFKD"]
  const isWrong = (character: string) => {
    const folded = foldText(character)
    // The only accent that becomes a letter in upper case, of ancient Greek.
    const upper = /\u0345/.test(character.normalize("NFD")) ? "" : character.toUpperCase()
    const others = [character.toLowerCase(), folded, upper || character]
    // Two decompose into a space with an accent.
    const normal = /[´\u1ffd]/.test(character) ? [] : forms.map((form) => character.normalize(form))
    return foldText(`a${character}b`) !== `A${folded}B` ||
      [...others, ...normal].some((other) => foldText(other) !== folded)
  }
  // Most are in rows that nothing changes, as ideographs are.
  const isUnchanged = (row: string) =>
    foldText(`a${row}b`) === `A${row}B` && row.toUpperCase() === row && row.toLowerCase() === row &&
    forms.every((form) => row.normalize(form) === row)
  const wrong: string[] = []
  for (let start = 0; start < characters.length; start += 256) {
    const row = characters.slice(start, start + 256)
    if (!isUnchanged(row.join(""))) wrong.push(...row.filter(isWrong))
  }
  t.strictSame(wrong, [])
  t.end()
})

/** Numbers, and ways to search them, by terms. */
const numbers: [written: string, found: string[], missed: string[]][] = [
  [
    "+44 7700 900123",
    ["+447700900123", "447700900123", "44-7700-900123", "(7700) 900.123", "+44 (0)7700 900123"],
    ["7700 900124", "0124 7700", "1-2", "4-4"],
  ],
  [
    "07700900123",
    ["07700 900123", "(07700) 900-123", "07700–900–123", "+44 7700 900123", "0044 7700900123"],
    ["+44 7700 900124", "900123 07701", "+44 123"],
  ],
  ["0044 7700 900123", ["07700 900123", "+44 (0)7700 900123", "07700 9001"], ["07700 90013"]],
  ["+49 30 123456", ["030 123456", "(030) 12 34 56"], ["030 1234567"]],
  ["+44 (0)20/7946-0018", ["+442079460018", "020 7946 0018", "7946\u20110018"], ["0018 7947"]],
  ["call 020.7946.0018 or 12", ["02079460018", "call 7946-0018"], ["001812", "mail 7946-0018"]],
  ["crm-77-0123 (2026-01-02)", ["77-0123", "crm-77-0123", "2026-01-02", "20260102"], [
    "crm-770123",
  ]],
]

t.test("foldTerms and searchableText find a number however it is written", (t) => {
  const finds = (text: string, q: string) =>
    foldTerms(q.split(" ")).every((term) => searchableText(text).includes(term))
  for (const [written, found, missed] of numbers) {
    t.strictSame(found.filter((q) => !finds(written, q)), [], written)
    t.strictSame(missed.filter((q) => finds(written, q)), [], written)
  }
  t.end()
})
