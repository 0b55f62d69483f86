/** Returns the body of a listing as partners parse it, in either form of the rows. */
export function valuesOf(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body))
}
