import { createHmac } from "node:crypto"
import t from "tap"
import type { Client } from "../../config/demo/live/client.ts"
import { Receiver } from "../../config/demo/live/receiver.ts"
import { Writer } from "../../config/demo/live/writer.ts"
import type { DemonstrationService } from "../../plugins/capabilities/demonstration/demonstration.ts"
import { freshDatabase } from "../support/database.ts"

t.test("the writer counts each step as a change", async (t) => {
  const { writer: db } = await freshDatabase(t, "sqlite")
  const writer = new Writer(101)
  const counted: string[] = []
  for (let step = 0; step < 3; step++) {
    await writer.step({ db, count: (happening) => counted.push(happening) })
  }
  t.strictSame(counted, ["changes", "changes", "changes"])
})

t.test("the receiver counts pings with a right signature, and neither challenges nor forgeries", async (t) => {
  const key = Buffer.from("a key of the receiver")
  const end = new AbortController()
  const counted: string[] = []
  const events: string[] = []
  let url = ""
  const client = {
    username: "partner-a",
    send(_service: unknown, _path: string, { body }: RequestInit = {}) {
      if (body) url = JSON.parse(String(body)).url
      const registered = { id: "receiver", secret: `whsec_${key.toString("base64")}` }
      return Promise.resolve(Response.json(body ? registered : []))
    },
  }
  const service = {
    signal: end.signal,
    count: (happening: string) => void counted.push(happening),
  }
  const receiver = new Receiver(client as unknown as Client, (event) => events.push(event))
  await receiver.register(service as unknown as DemonstrationService)
  t.teardown(() => end.abort())

  const send = async (message: object, signedBy: Buffer) => {
    const body = JSON.stringify(message)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac("sha256", signedBy).update(`one.${timestamp}.${body}`)
    const { status } = await fetch(url, {
      method: "POST",
      body,
      headers: {
        "webhook-id": "one",
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature.digest("base64")}`,
      },
    })
    return status
  }
  t.equal(await send({ type: "challenge", challenge: "a text" }, key), 200)
  t.equal(await send({ type: "changed", event: "forged" }, Buffer.from("another key")), 401)
  t.equal(await send({ type: "changed", event: "an event" }, key), 200)
  t.strictSame(counted, ["pings"])
  t.strictSame(events, ["an event"])
})
