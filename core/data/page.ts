/**
 * The part of a list that is asked for: records with `updated >= since` in which every term
 * occurs, newest first, `limit` of them after the first `offset`.
 */
export interface Page {
  readonly since: number
  readonly offset: number
  readonly limit: number
  /** What `q` was split into; none matches everything. */
  readonly terms: readonly string[]
}
