import * as v from "valibot"
import { type ParameterError, Problem } from "../../http/problems.ts"
import { suggest } from "../../nearest.ts"
import { itemCategories } from "../../records/kinds/items.ts"
import { defaultSince, type PageRequest } from "../../records/lists/page.ts"
import { uuid } from "../../records/kinds/values.ts"
import { type ListingParameter, recordParameters } from "../../records/lists/resource.ts"

/** The default and the maximum of `limit`, in records. */
export const maximumLimit = 1000
/** The default and the maximum of the `limit` of an export, in records. */
export const exportLimit = 10_000_000
/** The maximum length of `q`, in characters. */
export const maximumSearch = 200
/** The maximum length of a cursor, in characters. It is enough for the longest `q`. */
export const longestCursor = 2048

/** The error of a cursor that was not made here for this caller and this list. */
export const notACursor =
  "is not a cursor of this list; take it from the Link header as it is, or start again without it"

/** The error of an `after` that was not made here for this caller and this feed. */
const notOfThisFeed = "is not a cursor of this feed; begin again without it, with an empty copy"

const aDay = 24 * 60 * 60

/** Returns the schema of all query parameters of lists, with the maximum of `limit` and the default of `since`. */
function listingSchema(most: number, usualSince: number) {
  return v.object({
    q: v.optional(
      v.pipe(
        v.string(),
        // deno-lint-ignore no-control-regex
        v.regex(/^[^\u0000-\u001f\u007f]*$/u, "must not contain control characters"),
        v.trim(),
        v.check(
          (text) => [...text].length <= maximumSearch,
          `must be at most ${maximumSearch} characters long`,
        ),
      ),
      "",
    ),
    since: v.optional(
      v.pipe(
        integer("must be a whole number of Unix seconds"),
        v.transform((since) => Math.max(since, -1)),
        v.check(
          (since) => since <= Math.floor(Date.now() / 1000) + aDay,
          ({ input }) =>
            `must not be more than a day in the future${
              input > 1e11 ? ": this looks like milliseconds; send seconds" : ", in Unix seconds"
            }`,
        ),
      ),
      String(usualSince),
    ),
    offset: v.optional(
      v.pipe(
        integer("must be a whole number, 0 or more"),
        v.check((offset) => offset >= 0, "must be a whole number, 0 or more"),
        v.check((offset) => offset <= Number.MAX_SAFE_INTEGER, "is too large"),
      ),
      "0",
    ),
    limit: v.optional(
      v.pipe(
        integer(`must be a whole number from 1 to ${most}`),
        v.check((limit) => limit >= 1 && limit <= most, `must be a whole number from 1 to ${most}`),
      ),
      String(most),
    ),
    bucket: v.optional(
      digits(/^[0-9a-f]{0,8}$/i, "must be the first 1 to 8 hexadecimal digits of ids"),
      "",
    ),
    hash: v.optional(
      digits(/^[0-9a-f]{0,4}$/i, "must be the first 0 to 4 hexadecimal digits of hashes of ids"),
    ),
    category: v.optional(
      v.picklist(["", ...itemCategories], `must be one of ${itemCategories.join(", ")}`),
      "",
    ),
    mine: v.optional(digits(/^[0-9a-f]{64}$/i, "must be a SHA-256 of 64 hexadecimal digits")),
    fields: v.optional(digits(/^[0-9a-f]{8}$/i, "must be the 8 hexadecimal digits of Fields")),
    of: v.optional(v.picklist(["", "content"], "must be content"), ""),
    after: v.optional(v.pipe(
      v.string(),
      v.maxLength(longestCursor, notOfThisFeed),
      v.regex(/^[\w-]+(\.[\w-]+)?$/, notOfThisFeed),
    )),
    cursor: v.optional(v.pipe(
      v.string(),
      v.maxLength(longestCursor, notACursor),
      v.regex(/^[\w-]+\.[\w-]+$/, notACursor),
    )),
  })
}

const pageSchema = listingSchema(maximumLimit, defaultSince)
const exportSchema = listingSchema(exportLimit, -1)

function integer(message: string) {
  return v.pipe(v.string(), v.regex(/^-?\d+$/, message), v.transform(Number))
}

/** Hexadecimal digits, in either case. */
function digits(form: RegExp, message: string) {
  return v.pipe(v.string(), v.regex(form, message), v.toLowerCase())
}

/** The log's fields of a list's query, even of a refused one. Nothing personal. */
interface LoggedInput {
  readonly since?: number
  readonly offset?: number
  /** Characters of `q`. */
  readonly searchLength?: number
}

/** A value, or its errors. Nothing is thrown yet, so that the caller is checked first. */
export interface ParseResult<T> {
  readonly value: T | undefined
  readonly errors: readonly ParameterError[]
}

/** Reads the event's id from the path, in either case; the value is lower case. */
export function parseEventId(text: string): ParseResult<string> {
  if (uuid.test(text)) return { value: text.toLowerCase(), errors: [] }
  const detail = "must be the UUID of an event, as the list of events gives it"
  return { value: undefined, errors: [refusal("eventId", text, detail)] }
}

/** The query of a list. A cursor, if there is one, decides which page it is. */
export interface ListQuery extends PageRequest {
  readonly cursor: string | undefined
  /** The digest of the caller's copy, to compare a digest with. */
  readonly mine: string | undefined
  /** The `Fields` that the caller's copy has. */
  readonly fields: string | undefined
  /** `after`: where a feed continues, as its last page said, or `now`. */
  readonly from: string | undefined
  readonly named: ReadonlySet<ListingParameter>
}

/** The query of a list or its errors, with the fields for the log. */
export interface QueryInput extends ParseResult<ListQuery> {
  readonly logged: LoggedInput
}

/**
 * Reads the query string of a list that takes `names`; reports all errors at once. An empty parameter counts as left
 * out, because forms and tools send empty fields. Exports have defaults of their own.
 */
export function parseListQuery(
  search: string,
  names: readonly ListingParameter[] = recordParameters,
  isExport = false,
): QueryInput {
  const errors: ParameterError[] = []
  const values = splitQuery(search, names, errors)
  const value = parseValues(values, isExport ? exportSchema : pageSchema, errors)
  return { value, errors, logged: loggedOf(new URLSearchParams(search)) }
}

/** Returns the query of some values; undefined if some are wrong. Adds what is wrong to `errors`. */
function parseValues(
  values: ReadonlyMap<string, string>,
  schema: ReturnType<typeof listingSchema>,
  errors: ParameterError[],
): ListQuery | undefined {
  const refuse = (name: string, detail: string) =>
    errors.push(refusal(name, values.get(name), detail))
  if (values.has("cursor") && values.has("offset")) refuse("offset", "cannot be used with a cursor")
  if (values.has("bucket") && values.has("hash")) {
    refuse("bucket", "cannot be used with hash")
    refuse("hash", "cannot be used with bucket")
  }
  const result = v.safeParse(schema, Object.fromEntries(values))
  if (!result.success) {
    for (const { path, message } of result.issues) {
      const name = String(path?.[0].key)
      if (!errors.some(({ parameter }) => parameter === name)) refuse(name, message)
    }
    return undefined
  }
  const { q, cursor, mine, fields, after: from, ...page } = result.output
  const terms = q === "" ? [] : q.split(/\s+/u)
  const named = new Set(values.keys() as Iterable<ListingParameter>)
  return { ...page, cursor, mine, fields, from, terms, named }
}

/** Returns the 400 that names every bad parameter. */
export function invalidParameters(errors: readonly ParameterError[]): Problem {
  const names = errors.map((error) => `${error.parameter} ${error.detail}`)
  const sentence = names.join("; ").replace(/[^?]$/, "$&.")
  return new Problem("invalid_parameter", `${sentence} Nothing was read.`, { errors })
}

/** Returns the values of known parameters by name, decoded. Adds what is wrong to `errors`. */
function splitQuery(
  search: string,
  known: readonly string[],
  errors: ParameterError[],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const part of search.replace(/^\?/, "").split("&").filter(Boolean)) {
    const [rawName = "", ...rest] = part.split("=")
    const rawValue = rest.join("=")
    const name = decode(rawName)
    const value = decode(rawValue)
    if (name === undefined || value === undefined) {
      errors.push(refusal(name ?? rawName, rawValue, "is not valid percent-encoding of UTF-8"))
    } else if (!known.includes(name)) {
      errors.push(refusal(name, value, `is not a parameter here${suggest(name, known, 2)}`))
    } else if (values.has(name)) {
      errors.push(refusal(name, value, "is given more than once"))
    } else {
      values.set(name, value)
    }
  }
  // Without digits, `hash` still asks for buckets by hash.
  return new Map([...values].filter(([name, value]) => value !== "" || name === "hash"))
}

/** Keeps only values of the right form: anyone may type an e-mail address anywhere. */
function loggedOf(sent: URLSearchParams): LoggedInput {
  const isWhole = (value: string | null) => value !== null && /^-?\d{1,15}$/.test(value)
  const [since, offset, q] = [sent.get("since"), sent.get("offset"), sent.get("q")]
  return {
    ...isWhole(since) && { since: Number(since) },
    ...isWhole(offset) && { offset: Number(offset) },
    ...q !== null && { searchLength: [...q].length },
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** Returns the 400 of a parameter that is only found wrong later. */
export function invalidParameter(
  parameter: ListingParameter,
  value: string,
  detail: string,
): Problem {
  return invalidParameters([refusal(parameter, value, detail)])
}

/** Returns the 400 of an `after` that was not made here for this caller and this feed. */
export function refuseAfter(after: string): Problem {
  return invalidParameter("after", after, notOfThisFeed)
}

/** Repeats the value as it was sent, up to a length that keeps the response small. */
function refusal(parameter: string, value: string | undefined, detail: string): ParameterError {
  const short = (text: string) => text.length > 100 ? `${text.slice(0, 100)}…` : text
  return { parameter: short(parameter), value: value === undefined ? null : short(value), detail }
}
