/** A form of a page other than JSON. */
export interface Representation {
  /** Tells the form from all other forms of the list; letters, digits and hyphens. */
  readonly tag: string
  /** Says what the form is, such as `content-type`. */
  readonly headers: Readonly<Record<string, string>>
  /** Writes the JSON body of a page. */
  write(body: unknown): string
}
