import { isDeepStrictEqual } from "node:util"
import { idOf } from "../../../plugins/capabilities/connect/ids.ts"
import type { Copy } from "../partner/copy.ts"

type Fields = Readonly<Record<string, unknown>>

/** Returns how a partner's copy of an event differs from the rows that the SELECT of guests returns for it. */
export function guestDifferences(copy: Copy, rows: readonly Fields[]): readonly string[] {
  const expected = new Map(rows.map((row) => [`guests ${idOf("guest", String(row["id"]))}`, row]))
  const found = [...copy.keys()].filter((key) => key.startsWith("guests "))
  return [
    ...found.filter((key) => !expected.has(key)).map(() => "a guest of the source is a phantom"),
    ...[...expected].flatMap(([key, row]) => {
      const { fields } = copy.get(key) ?? {}
      if (!fields) return ["a guest of the source is lost"]
      return isDeepStrictEqual(shown(fields), shownOf(row))
        ? []
        : ["a guest of the source is stale"]
    }),
  ]
}

const same = ["firstName", "lastName", "email", "mobile", "companyName", "consentStatus"]

/** What is compared of a guest, as partners have it. */
function shown(fields: Fields): unknown {
  const { smsOptIn, consentAsked, consentChannels } = fields
  const { line1 = null } = (fields["mainAddress"] ?? {}) as { readonly line1?: string }
  return [...same.map((name) => fields[name]), smsOptIn, consentAsked, consentChannels, line1]
}

/** The same of a row of the SELECT. */
function shownOf(row: Fields): unknown {
  return [
    ...same.map((name) => row[name]),
    row["smsOptIn"] === 1,
    row["consentAsked"] === 1,
    row["consentChannels"] ?? "",
    row["mainAddressLine1"],
  ]
}
