import t from "tap"
import { startInstance } from "../../conformance/instance.ts"
import type { Exchange } from "../../../core/request/exchange.ts"
import { testConfig } from "../../support/app.ts"
import { copiedUrl, onEmbedded } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"

await onEmbedded(t, async (t, engine) => {
  const [exchanges, entries]: [Exchange[], unknown[]] = [[], []]
  const instance = await startInstance(await testConfig(await copiedUrl(t, engine)), {
    log: scannedLog(t, entries as Record<string, unknown>[]),
    observers: [(exchange) => void exchanges.push(exchange)],
  })
  t.teardown(() => instance.close())

  for (const isWhole of [true, false]) {
    await t.test(`a request is recorded once its response ${isWhole ? "is sent" : "cannot be sent any more"}`, async (t) => {
      const listeners: ((isWhole: boolean) => void)[] = []
      const whenGone = (listener: (isWhole: boolean) => void) => void listeners.push(listener)
      const before = entries.length
      const peer = { address: "192.0.2.1", whenGone }
      const { status } = await instance.answer(new Request("http://localhost/nowhere"), peer)
      t.strictSame([exchanges.length, entries.length], [0, before], "not before")
      for (const listener of listeners) listener(isWhole)
      t.match(exchanges.splice(0), [{
        asked: { address: "192.0.2.1", method: "GET" },
        sent: { status, isWhole },
      }])
      t.equal(entries.length, before + 1)
    })
  }
})
