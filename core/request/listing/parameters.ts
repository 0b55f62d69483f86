import { itemCategories } from "../../records/kinds/items.ts"
import { defaultSince } from "../../records/lists/page.ts"
import type { Catalogue } from "../../routes/contract.ts"
import { exportLimit, longestCursor, maximumLimit, maximumSearch } from "./query.ts"

/** The query parameters of lists, as documents describe them. */
export const listingParameters: Catalogue["parameters"] = {
  q: {
    description:
      "Words that must all be in the fields that you get. Case, accents, kinds of apostrophes and hyphens " +
      "do not matter, nor do the characters between the digits of a telephone number, or its country code. " +
      "" +
      "Search with it; do not sync with it.",
    schema: { type: "string", default: "", maxLength: maximumSearch },
  },
  since: {
    description:
      "Unix seconds: records with `updated >= since`; negative for all. Send the `Next-Since` of your last poll. " +
      "A time more than a minute in the future is a 400; one less than a minute ahead gets the header `Hint`.",
    schema: { type: "integer", format: "int64", default: defaultSince },
  },
  offset: {
    description: "Records to skip; in a bundle, in each list. Do not combine it with `cursor`.",
    schema: {
      type: "integer",
      format: "int64",
      default: 0,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  limit: {
    description: `Records per page, 1 to ${maximumLimit}; in a bundle, of each list.`,
    schema: { type: "integer", default: maximumLimit, minimum: 1, maximum: maximumLimit },
  },
  bucket: {
    description: "Only ids that begin with these hexadecimal digits.",
    schema: { type: "string", default: "", pattern: "^[0-9a-fA-F]{0,8}$" },
  },
  hash: {
    description:
      "Only ids whose SHA-256 begins with these hexadecimal digits; without digits, all. A digest " +
      "then has buckets by hash, one digit longer, or two if it counts more than 10,000 records. " +
      "Not with `bucket`.",
    schema: { type: "string", pattern: "^[0-9a-fA-F]{0,4}$" },
  },
  category: {
    description: "Only items of this category. The other lists of the bundle are empty.",
    schema: { type: "string", default: "", enum: ["", ...itemCategories] },
  },
  mine: {
    description:
      "The digest of your copy: the SHA-256 of one line `bucket digest` per bucket, in the order of the " +
      "body, each terminated by a line feed; for items, `category bucket digest`. If you also send `fields`, " +
      "the header `Copy` says whether your copy is the same.",
    schema: { type: "string", pattern: "^([0-9a-fA-F]{64})?$" },
  },
  fields: {
    description:
      "The header `Fields` of the responses that your records came from. If it is no longer current, " +
      "`Copy` is `different`.",
    schema: { type: "string", pattern: "^([0-9a-fA-F]{8})?$" },
  },
  of: {
    description: "For a digest: `content` covers what records contain, not when they changed.",
    schema: { type: "string", default: "", enum: ["", "content"] },
  },
  after: {
    description:
      "For a feed: the `next` that you stored, as it is. Leave it out for an empty copy. `now` begins at this " +
      "moment, without any change.",
    schema: {
      type: "string",
      pattern: "^([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)?)?$",
      maxLength: longestCursor,
    },
  },
  cursor: {
    description:
      "Continues a walk. It is part of the URL in `Link`; never make one yourself. You may leave out the other " +
      "parameters; if you send them, they must be the same as before.",
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
    "The most records in the response. If the operator allows fewer, it ends with the URL of the rest.",
  schema: { type: "integer", default: exportLimit, minimum: 1, maximum: exportLimit },
}
