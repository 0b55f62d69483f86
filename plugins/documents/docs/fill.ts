import type { Numbers } from "../../../core/plugin.ts"
import type { OfferedRoutes } from "./pages.ts"
import { type DocsReader, pathOf } from "./reader.ts"

/** The service's URL in the guide and its programs, to be replaced by the public URL. */
export const localOrigin = "http://127.0.0.1:8080"

/** The names in the texts for readers who are not logged in. */
export const placeholders = {
  family: "/your-family/v1",
  event: "your-event-id",
  username: "your-name",
} as const

/** Names and URLs without characters that a shell, a program, Markdown or HTML interprets. */
const plainName = /^[\w./@-]+$/
const plainOrigin = /^https?:\/\/[\w.:[\]-]+$/

/** Returns the service's URL for a reader, if it is plain. */
export function originFor({ origin }: Pick<DocsReader, "origin">): string {
  return plainOrigin.test(origin) ? origin : localOrigin
}

/** Inserts the service's URL and the reader's names into a text if they are plain, since people run these texts. */
export function fillNames(
  text: string,
  reader: Pick<DocsReader, "origin" | "username" | "example">,
): string {
  const { username, example } = reader
  const names = { family: example?.family, event: example?.event?.id, username }
  const filled = text.replaceAll(localOrigin, () => originFor(reader))
  return Object.entries(placeholders).reduce((text, [key, placeholder]) => {
    const name = names[key as keyof typeof names] ?? ""
    return text.replaceAll(placeholder, () => plainName.test(name) ? name : placeholder)
  }, filled)
}

/** Returns the query with the reader's choice for a download's URL; empty for the first choice. */
export function choiceQuery({ example, choices }: DocsReader): string {
  const usual = choices.find(({ event }) => event) ?? choices[0]
  return example && example !== usual ? `?event=${encodeURI(pathOf(example))}` : ""
}

/**
 * Keeps the parts of a text that apply to this installation: `<!-- if polling.wait -->…<!-- end -->` if that number is
 * not 0, `<!-- if POST /session/tokens -->…<!-- end -->` if that route exists; `if not` means the opposite. Parts may
 * be nested.
 *
 * @throws {TypeError} if there is no such number.
 */
export function chooseParts(
  text: string,
  { numbers, offers }: { readonly numbers: Numbers; readonly offers: OfferedRoutes },
): string {
  const chosen = text.replaceAll(
    /<!-- if (not )?(\S+|[A-Z]+ \S+) -->(\n?)((?:(?!<!-- if )[^])*?)<!-- end -->(\n?)/g,
    (_, not: string | undefined, name: string, newLine: string, part: string, end: string) => {
      const applies = name.includes(" ") ? offers.has(name) : numberOf(numbers, name) !== 0
      // A comment on its own line does not leave an empty line.
      return (applies === (not === undefined) ? part : "") + (newLine ? "" : end)
    },
  )
  return chosen === text ? text : chooseParts(chosen, { numbers, offers })
}

/**
 * Inserts this installation's numbers into a text. In `12 hours<!-- session.lifetime -->`, the comment names the number
 * that replaces the one before it: with a unit, a time in the largest unit that divides it; else digits.
 *
 * @throws {TypeError} if there is no such number.
 */
export function fillNumbers(text: string, numbers: Numbers): string {
  return text.replaceAll(
    /([\d,]+)( (?:second|minute|hour|day)s?)?<!-- ([\w.]+) -->/g,
    (_, _digits, unit: string | undefined, name: string) => {
      const value = numberOf(numbers, name)
      return unit === undefined ? format(value) : duration(value)
    },
  )
}

function numberOf(numbers: Numbers, name: string): number {
  const value = name.split(".").reduce<unknown>(
    (part, key) => (part as Record<string, unknown> | undefined)?.[key],
    numbers,
  )
  if (typeof value !== "number") throw new TypeError(`the guide has no number ${name}`)
  return value
}

const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const

/** Formats seconds as `90 days`: in the largest unit that divides them and yields at least 2. */
function duration(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds % size === 0 && seconds >= 2 * size) ??
    ["second", 1]
  const count = seconds / size
  return `${format(count)} ${unit}${count === 1 ? "" : "s"}`
}

function format(number: number): string {
  return number.toLocaleString("en-US")
}
