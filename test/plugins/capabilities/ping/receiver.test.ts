import t from "tap"
import { type Entry, mostEntries } from "../../../../plugins/capabilities/ping/pending.ts"
import { Receiver, type ReceiverRow } from "../../../../plugins/capabilities/ping/receiver.ts"

/** Returns a receiver that is on, has all up to the change 10, and takes what looks find. */
function receiverOn(values: Partial<ReceiverRow> = {}): Receiver {
  const row = {
    ...{ id: "r", state: "on", reason: null, since: 1, failing_since: null, attempts: 0 },
    ...{ next_at: 0, last_sent: null, last_status: null, last_error: null, sent_seq: 10 },
    ...values,
  } as ReceiverRow
  const receiver = new Receiver(row, { now: 0, time: 1000 })
  receiver.isSubscribed = true
  receiver.cursor = undefined
  return receiver
}

const entry = (seq: number, event = `event ${seq}`): Entry => ({
  ...{ event, list: "guests", changed: seq, seq, version: `${seq}` },
})

t.test("what was sent is behind what waits, is being sent, or is still to be read", async (t) => {
  const receiver = receiverOn()
  t.equal(receiver.sentUpTo(30), 30)
  t.equal(receiver.sentUpTo(undefined), 10)
  receiver.add(entry(20), 15)
  receiver.add(entry(25), 15)
  t.equal(receiver.sentUpTo(30), 19)
  receiver.pending.take(entry(20), 0)
  receiver.sending = entry(20)
  t.equal(receiver.sentUpTo(30), 19)
  receiver.sending = undefined
  t.equal(receiver.sentUpTo(30), 24)
  receiver.cursor = 12
  t.equal(receiver.sentUpTo(30), 12)
  t.equal(receiverOn({ state: "unconfirmed" }).sentUpTo(30), 10)
})

t.test("what finds no room is read again, from the first number that is missing", async (t) => {
  const receiver = receiverOn()
  for (let seq = 20; seq < 20 + mostEntries; seq++) receiver.add(entry(seq), 15)
  receiver.add(entry(5000, "event 20"), 4000)
  t.ok(receiver.isSubscribed, "a later change of the same list has room")
  receiver.add(entry(5001), 4000)
  t.match(receiver, { isSubscribed: false, cursor: 4000 })
  receiver.unsubscribe(4500)
  t.equal(receiver.cursor, 4000, "a later number does not move it")
  receiver.unsubscribe(3000)
  t.equal(receiver.cursor, 3000)
  receiver.readAll()
  t.match(receiver, { cursor: -1, isSubscribed: false })
  t.equal(receiver.pending.size, 0)
})

t.test("a failure leaves what waits in the log, and a success begins to count anew", async (t) => {
  const receiver = receiverOn()
  receiver.add(entry(20), 15)
  receiver.pending.take(entry(20), 0)
  receiver.sending = entry(20)
  receiver.add(entry(25), 15)
  const moment = { now: 7000, time: 1007, settled: 30, random: () => 1 }
  receiver.finish({ result: "failed", status: 500, error: "status" }, moment)
  t.match(receiver, { dueAt: 13_000, sending: undefined, cursor: 19 })
  t.match(receiver.progress, { state: "on", attempts: 1, failing_since: 1007, next_at: 1013 })
  t.equal(receiver.progress.sent_seq, 19)
  receiver.sending = entry(20)
  receiver.finish({ result: "delivered", status: 200 }, { ...moment, time: 1014 })
  t.match(receiver.progress, {
    ...{ state: "on", attempts: 0, failing_since: null, next_at: 0, last_sent: 1014 },
  })
})

t.test("the first echo turns a receiver on with what changes from then on", async (t) => {
  const receiver = receiverOn({ state: "unconfirmed", sent_seq: 0 })
  receiver.sending = "challenge"
  receiver.finish({ result: "delivered", status: 200 }, { now: 0, time: 1001, settled: 30 })
  t.match(receiver.progress, { state: "on", since: 1001, reason: null })
  t.equal(receiver.cursor, 30)
  const again = receiverOn({ state: "unconfirmed", sent_seq: 12 })
  again.cursor = 12
  again.sending = "challenge"
  again.finish({ result: "delivered", status: 200 }, { now: 0, time: 1001, settled: 30 })
  t.equal(again.cursor, 12, "one that was on before goes on where it was")
})
