/** A value of a cell. Null is an empty cell; empty text is a pair of quotes. */
export type Cell = string | number | boolean | null

/**
 * Makes CSV of rows (RFC 4180). Text that a spreadsheet would compute gets an apostrophe. With `isText`, so does text
 * that it would change or that begins with an apostrophe: without the first apostrophe, it is the value. With
 * `isExact`, cells are the values, and a spreadsheet has to import them as text. NUL is U+FFFD in any case: some
 * programs cannot read a file that has it.
 */
export function csv(
  rows: readonly (readonly Cell[])[],
  { isExact = false, isText = false } = {},
): string {
  let text = ""
  for (const cells of rows) {
    for (let at = 0; at < cells.length; at++) {
      text += `${at > 0 ? "," : ""}${cellOf(cells[at] as Cell, isExact, isText)}`
    }
    text += "\r\n"
  }
  return text
}

/**
 * What a spreadsheet would compute, in ASCII and in full width, behind spaces as well. Text that begins with
 * apostrophes and then the same gets one more, so that taking one away always restores the text.
 */
const formula = /^(?:[\s']*[=+\-@＝＋－＠]|'*[\t\r\n])/

/**
 * The same within a text, behind what may begin a new cell, whatever is in quotes: a semicolon, which separates lists
 * in Germany and France, a tab or a line break. It gets an apostrophe.
 */
const innerFormula = /[;\t\r\n](?=[\s'"]*[=+\-@＝＋－＠])/g

/** What must be in quotes. */
const special = /[",\r\n]|^$/

function cellOf(value: Cell, isExact: boolean, isText: boolean): string {
  if (value === null) return ""
  if (typeof value !== "string") return String(value)
  const readable = value.replaceAll("\0", "\ufffd")
  const text = isExact ? readable : guard(readable, isText)
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function guard(text: string, isText: boolean): string {
  const isGuarded = formula.test(text) || isText && (text[0] === "'" || isValue(text))
  return `${isGuarded ? "'" : ""}${text.replace(innerFormula, "$&'")}`
}

/**
 * Returns true if a spreadsheet takes a text for a number, date, time, truth value or error, in one of several
 * languages.
 */
function isValue(text: string): boolean {
  const plain = text.normalize("NFKC").trim().toLowerCase()
  if (!/\d/.test(plain)) return constants.has(plain)
  if (!value.test(plain) || id.test(plain)) return false
  return plain.match(/\p{L}+/gu)?.every(isPartOfValue) ?? true
}

const id = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Begins with no single letter: `a1` is text. */
const value = /^(?!\p{L}{1,2}(?!\p{L}))[\d\p{L}\p{Sc}\s.,:/()%'’+\-−–]+$/u

/** Truth values, and errors. */
const constants = new Set([
  ...["true", "false", "wahr", "falsch", "vrai", "faux", "verdadero"],
  ...["falso", "vero", "waar", "onwaar", "verdadeiro", "sand", "falsk"],
  ...["sant", "falskt", "sann", "usann", "tosi", "epätosi"],
  ...["prawda", "fałsz", "#n/a", "#ref!", "#name?", "#num!", "#value!", "#div/0!", "#null!"],
])

const languages = ["en", "en-GB", "de", "fr", "es", "it", "nl", "pt", "da", "sv", "nb", "fi", "pl"]
const forms = [{ month: "long" }, { month: "short" }, { month: "long", day: "numeric" }] as const

/** The names of months, made when one is needed: that takes longer than loading a module. */
let months: readonly string[] | undefined

function namesOfMonths(): readonly string[] {
  const names = languages.flatMap((language) =>
    forms.flatMap((form) => {
      const { format } = new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" })
      const texts = Array.from({ length: 12 }, (_, index) => format(Date.UTC(2026, index)))
      return texts.join().toLowerCase().match(/\p{L}{3,}/gu) ?? []
    })
  )
  return [...new Set(names)]
}

/** Returns true for exponents, parts of ISO 8601 and of times of day, and months, also abbreviated to three letters. */
function isPartOfValue(word: string): boolean {
  if (word.length > 2) return (months ??= namesOfMonths()).some((month) => month.startsWith(word))
  return ["e", "t", "z", "a", "p", "m", "am", "pm", "de"].includes(word)
}
