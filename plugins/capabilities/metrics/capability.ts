import * as v from "valibot"
import { address, type Capability, isLoopback, wholeNumber } from "../../../core/capability.ts"
import { type Admin, openAdmin } from "./admin.ts"
import { Metrics } from "./metrics.ts"

/** Where metrics are served. */
type Settings = { readonly host: string; readonly port: number } | undefined

/** Metrics in the text format of Prometheus, on an address of their own. */
const metrics: Capability<Settings> = {
  name: "metrics",
  summary: "Serves metrics for Prometheus on an address of their own",
  settings: {
    group: "admin",
    schema: v.optional(v.strictObject({ host: address, port: wholeNumber(0, 65535) })),
    fixed: ["host", "port"],
  },
  warn: ({ settings }) =>
    settings && !isLoopback(settings.host)
      ? [{
        about: "admin.host",
        message:
          `${settings.host} is not loopback, and metrics are read without a log-in: a program that reaches the port ` +
          `learns the names of accounts and events. Set it to 127.0.0.1, or keep the port private`,
      }]
      : [],
  start(host) {
    const { settings } = host
    if (!settings) return { serving: () => ({ fields: { admin: null }, lines: {} }) }
    const metrics = new Metrics(host)
    let admin: Admin | undefined
    return {
      observe: (exchange) => metrics.record(exchange),
      tell: (event) => metrics.tell(event),
      async serving() {
        const { fetch: health, listen, log } = host.service
        const source = { metrics: () => metrics.read(), health, listen }
        admin = await openAdmin(source, { ...settings, log })
        const { url } = admin
        return { fields: { admin: url }, lines: url === null ? {} : { metrics: `${url}/metrics` } }
      },
      close: async () => await admin?.close(),
    }
  },
}

export default metrics
