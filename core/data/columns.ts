/** The values of a row by column. */
export type Columns = Readonly<Record<string, unknown>>
