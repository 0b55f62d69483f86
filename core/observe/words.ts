/** Formats Unix seconds for people, to the second and in UTC; null is `never`. */
export function formatMoment(seconds: number | null): string {
  return seconds === null ? "never" : new Date(seconds * 1000).toISOString().replace(".000Z", "Z")
}
