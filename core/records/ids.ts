const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * True for a UUID. Partners put ids into programs, paths and pages, so a record with any other id never leaves the
 * database: lists, exports and digests are as if it were not there.
 */
export function isId(id: string): boolean {
  return uuid.test(id)
}
