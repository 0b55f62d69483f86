import { itemCategories } from "../../records/kinds/items.ts"
import { defaultSince } from "../../records/page.ts"
import type { Catalogue } from "../../routes/contract.ts"
import { exportLimit, longestCursor, maximumLimit, maximumSearch } from "./query.ts"

/** The query parameters of lists, as documents describe them. */
export const listingParameters: Catalogue["parameters"] = {
  q: {
    description:
      "Words that must all occur in the fields that this family returns. Ignores case and " +
      "accents.",
    schema: { type: "string", default: "", maxLength: maximumSearch },
  },
  since: {
    description:
      "Unix seconds: only records that changed since then. A negative number means all. " +
      "Send the `Next-Since` of the previous poll.",
    schema: { type: "integer", format: "int64", default: defaultSince },
  },
  offset: {
    description: "Number of records to skip; in a bundle, per category. Not with `cursor`.",
    schema: {
      type: "integer",
      format: "int64",
      default: 0,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  limit: {
    description: "Records per page; in a bundle, per category.",
    schema: { type: "integer", default: maximumLimit, minimum: 1, maximum: maximumLimit },
  },
  bucket: {
    description: "Only records whose ids begin with these hexadecimal digits.",
    schema: { type: "string", default: "", pattern: "^[0-9a-fA-F]{0,8}$" },
  },
  hash: {
    description:
      "Only records the SHA-256 of whose ids, in hexadecimal, begins with these digits. A digest " +
      "then has buckets by hash, one digit longer, or two if it counts more than 10,000 records. " +
      "May be empty. Not with `bucket`.",
    schema: { type: "string", pattern: "^[0-9a-fA-F]{0,4}$" },
  },
  category: {
    description: "Only items of this category: the other arrays of the bundle are empty.",
    schema: { type: "string", default: "", enum: ["", ...itemCategories] },
  },
  mine: {
    description:
      "The digest of your copy, as one SHA-256: of a line `bucket digest` for each of its buckets, in the " +
      "order of the body, each with a line feed; for items, `category bucket digest`. `Copy` says " +
      "whether it is the same, if `fields` is sent as well.",
    schema: { type: "string", pattern: "^([0-9a-fA-F]{64})?$" },
  },
  fields: {
    description:
      "The `Fields` of the list whose records you have: with another, `Copy` is `different`.",
    schema: { type: "string", pattern: "^([0-9a-fA-F]{8})?$" },
  },
  of: {
    description: "`content`: a digest of what records contain, instead of when they changed.",
    schema: { type: "string", default: "", enum: ["", "content"] },
  },
  after: {
    description:
      "The `next` of the last page that you stored, as it is; left out, for an empty copy. `now` begins at this " +
      "moment, without any change.",
    schema: {
      type: "string",
      pattern: "^([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)?)?$",
      maxLength: longestCursor,
    },
  },
  cursor: {
    description:
      "Continues a walk. Part of the URL in `Link`, never made by hand. The other parameters " +
      "may be left out; if present, they must be the same as in the walk.",
    schema: {
      type: "string",
      pattern: "^([A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+)?$",
      maxLength: longestCursor,
    },
  },
}

/** The `limit` of exports, as documents describe it. */
export const exportLimitParameter: Catalogue["limitOfExports"] = {
  description:
    "Most records of the response. An operator may have set less: then it ends with the URL of the rest.",
  schema: { type: "integer", default: exportLimit, minimum: 1, maximum: exportLimit },
}
