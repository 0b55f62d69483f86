import * as v from "valibot"

/** One segment of a path, for settings: up to 100 lower-case letters, digits and hyphens. */
export const pathSegment: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens"),
  v.maxLength(100, "must have at most 100 characters"),
)

/** The short name of an organization, for settings. */
export const slug: v.GenericSchema<unknown, string> = pathSegment

/** The user name of an account, for settings. */
export const username: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9._@-]{0,99}$/, "must be lower-case letters, digits and . _ @ -"),
)
