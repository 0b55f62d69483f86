import { type Capability, counter, gauge } from "../../../core/capability.ts"
import { LiveLists } from "./live-lists.ts"
import { LivePages } from "./live-pages.ts"

const megabyte = 1024 * 1024

/** Lists in memory, from which pages of events that change are cut. */
const memory: Capability = {
  name: "memory",
  summary: "Keeps lists in memory, and cuts pages of events that change from them",
  open({ plan: { cache } }) {
    if (cache.records === 0) return {}
    const pages = new LivePages(new LiveLists(cache.records * megabyte))
    return {
      findPage: pages.find,
      metrics: () => {
        const { bytes, known, read } = pages.numbers
        return [
          gauge(
            "event_export_record_cache_bytes",
            "Memory in use for lists and their records.",
            bytes,
          ),
          counter(
            "event_export_page_records_total",
            "Records of pages that were cut from lists in memory: known there, or read for it.",
            [
              { labels: { from: "cache" }, value: known },
              { labels: { from: "database" }, value: read },
            ],
          ),
        ]
      },
    }
  },
}

export default memory
