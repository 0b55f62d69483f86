import * as v from "valibot"
import { type Capability, groupOf, wholeNumber } from "../../../core/capability.ts"
import { exportLimit } from "../../../core/lists.ts"
import { digestContent } from "./content-digest.ts"
import { deriveExports } from "./derive-exports.ts"
import { Exports, type ExportSettings } from "./exports.ts"
import { chooseRows } from "./rows.ts"
import { Slots } from "./slots.ts"

/** Whole lists in one response, and lists whose records are rows. */
const exporting: Capability<ExportSettings> = {
  name: "export",
  summary: "Sends whole lists in one response, and lists as NDJSON or CSV",
  settings: {
    group: "export",
    schema: groupOf({
      records: v.optional(wholeNumber(1, exportLimit), 1_000_000),
      seconds: v.optional(wholeNumber(1, 3600), 120),
      connections: v.optional(wholeNumber(1, 1000), 4),
      concurrent_per_account: v.optional(wholeNumber(1, 1000), 2),
    }),
    unshown: ["records", "seconds", "concurrent_per_account"],
  },
  offers: { exports: ({ records, seconds }) => ({ records, seconds }) },
  derives: deriveExports,
  open(host) {
    const slots = new Slots(host.settings)
    const answers = digestContent(host, slots)
    return { layers: [new Exports(host, slots)], forms: [chooseRows], answers }
  },
}

export default exporting
