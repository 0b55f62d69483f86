/** The body of a listing as partners read it, however it is going to be written. */
export function valuesOf(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body))
}
