import { type Capability, counter, gauge } from "../../../core/capability.ts"
import { waitLayer } from "./wait-layer.ts"
import { Waiting } from "./waiting.ts"

/** Lets requests wait until there is something new. */
const waiting: Capability = {
  name: "waiting",
  summary: "Holds requests that prefer to wait until there is something new",
  offers: { waiting: true },
  open({ plan: { polling, server }, nodes, log, every, keep, closing, draining }) {
    const waiting = new Waiting(nodes, {
      log,
      most: server.waiting,
      longest: polling.wait,
      wakes: keep("wakes", () => ({ total: 0 })),
      until: AbortSignal.any([closing, draining]),
      every,
    })
    return {
      layers: [waitLayer(waiting)],
      metrics: () => [
        gauge(
          "event_export_requests_held",
          "Requests that wait for something new, as their clients prefer.",
          waiting.numbers.held,
        ),
        counter(
          "event_export_wakes_total",
          "How often a change to an event ended the wait of a request.",
          waiting.numbers.wakes,
        ),
      ],
      close: () => waiting.ended(),
    }
  },
}

export default waiting
