import type { Family, Field, Kit } from "../../plugins/documents/kit/model.ts"

const field = (name: string, kind: Field["kind"]): Field => ({
  name,
  kind,
  isNullable: true,
  description: 'Say "it\'s": #(lf) {{ x }}\n-- drop',
})
/** A name that every format has to escape. */
export const odd = `o"d'd \\ name`

/** A family whose records do not say their event, and whose names every format has to escape. */
export const family: Family = {
  prefix: "/odd/v1",
  eventId: "e-1",
  lists: [{
    name: "guests",
    path: "/odd/v1/events/:eventId/guests",
    isOfEvent: true,
    deletes: undefined,
    tables: [{
      name: "guest",
      part: undefined,
      fields: [
        { ...field("id", "uuid"), isNullable: false },
        field(odd, "text"),
        field("list", "json"),
      ],
    }],
  }],
  feed: "/odd/v1/events/:eventId/changes",
}
/** A kit with that family, whose other names have to be escaped, too. */
export const kit: Kit = {
  server: `https://x.example/"'<b>\n'`,
  username: `<"o'hara">`,
  hasRows: true,
  families: [family],
}
