import type { Catalogue } from "../../routes/contract.ts"
import { defaultSince, longestCursor, maximumLimit, maximumSearch } from "./query.ts"

/** The query parameters of lists, as documents describe them. */
export const listingParameters: Catalogue["parameters"] = {
  q: {
    description: "Words that must all occur, whatever their case and accents, in the fields that " +
      "this family returns.",
    schema: { type: "string", default: "", maxLength: maximumSearch },
  },
  since: {
    description: "Unix seconds: what has changed since then. A negative number means everything. " +
      "Send the `Next-Since` of the poll before.",
    schema: { type: "integer", format: "int64", default: defaultSince },
  },
  offset: {
    description: "Records to pass over; in a bundle, in each category. Not with `cursor`.",
    schema: {
      type: "integer",
      format: "int64",
      default: 0,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  limit: {
    description: "Records a page; in a bundle, of each category.",
    schema: { type: "integer", default: maximumLimit, minimum: 1, maximum: maximumLimit },
  },
  bucket: {
    description: "Only records whose ids begin with these hexadecimal digits.",
    schema: { type: "string", default: "", pattern: "^[0-9a-fA-F]{0,8}$" },
  },
  cursor: {
    description: "Where a walk goes on: part of the address in `Link`, never made by hand. The " +
      "other parameters may be left out, and must otherwise be those of the walk.",
    schema: {
      type: "string",
      pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$",
      maxLength: longestCursor,
    },
  },
}
