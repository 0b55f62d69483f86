import { type RowForm, rowFormOf, rowsOf } from "./row-form.ts"
import type { ChooseForm, ListRequest } from "../../../core/lists.ts"

/** The `Accept` of clients that do not choose. */
const anything = "*/*"

/** Returns the format of a page as rows, NDJSON or CSV, if the client prefers one. */
export const chooseRows: ChooseForm = (request, query) => {
  const { route: { list }, incoming } = request
  const accept = incoming.request.headers.get("accept") ?? anything
  const form = accept === anything ? undefined : rowFormOf(list, { ...query, accept })
  return form && {
    tag: form.tag,
    headers: rowHeaders(form, request),
    write: (body) => form.head + form.write(rowsOf(list, body)),
  }
}

/** Returns the headers for a row format: its type, and a file name for CSV and exports. */
export function rowHeaders(
  { contentType, extension }: RowForm,
  { route: { list, export: isExport }, admission: { session: { now }, event } }: ListRequest,
): Record<string, string> {
  if (extension !== "csv" && !isExport) return { "content-type": contentType }
  const day = new Date(now * 1000).toISOString().slice(0, 10)
  const name = [...list.name.split(" "), event?.id, day].filter(Boolean).join("-")
  return {
    "content-type": contentType,
    "content-disposition": `attachment; filename="${name}.${extension}"`,
  }
}
