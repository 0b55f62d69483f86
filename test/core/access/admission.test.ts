import t from "tap"
import {
  type AdmissionQuestion,
  Admissions,
  lookUpAdmission,
} from "../../../core/access/admission.ts"
import { grantAccess } from "../../../plugins/capabilities/accounts/grants.ts"
import { findGrantedOrganizations } from "../../../core/access/organizations.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { Builder, past } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const waits = { begin: () => {}, end: () => {} }

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const acme = await build.organization("acme")
  const [event, other] = [await build.event(acme), await build.event(acme)]
  await build.guest(event)
  await build.item("tickets", event, { updated: past + 1 })
  const keyOf = async (username: string) => {
    const account = await build.account(username)
    await grantAccess(database, username, { event }, { networks: ["192.0.2.0/24"] })
    return { session: await insertSession(database, account, 86_400), epoch: 0, account }
  }
  const question: AdmissionQuestion = {
    key: await keyOf("ann"),
    idle: 0,
    address: "192.0.2.1",
    eventId: event,
    tables: ["guest"],
    deletions: ["guests"],
  }
  const { writer } = database
  await writer.updateTable("session").set({ created: past }).execute()
  const gone = { event_id: event, category: "guests", record_id: event, at: past }
  await writer.insertInto("deletion").values(gone).execute()
  await writer.updateTable("change_state").set({ clock: past, watermark: past }).execute()

  /** Per field, a question that differs in this field only and has another answer. */
  const differences: Required<AdmissionQuestion> = {
    key: await keyOf("bob"),
    idle: 3600,
    address: "198.51.100.1",
    eventId: other,
    tables: ["ticket"],
    deletions: ["tickets"],
    filter: { kind: "consented", channel: "" },
    behind: 1,
    heartbeat: true,
  }
  for (const [field, value] of Object.entries(differences)) {
    // The embedded database is never one of several.
    if (field === "heartbeat" && engine === "sqlite") continue
    await t.test(`Admissions.lookUp answers each of the questions that come together, if they differ in ${field}`, async (t) => {
      // The first is being answered when the others come, which could share the second answer.
      const questions = [question, question, { ...question, [field]: value }]
      const expected = []
      for (const each of questions) {
        expected.push(await database.readOnce((reader) => lookUpAdmission(reader, each)))
      }
      t.notSame(expected[2], expected[1])
      const gate = new Admissions()
      const asked = { name: "", database, isPrimary: true }
      const given = await Promise.all(questions.map((each) => gate.lookUp(asked, each, waits)))
      const timeless = (found: typeof given) =>
        found.map((each) => each && { ...each, at: 0, session: { ...each.session, now: 0 } })
      t.strictSame(timeless(given), timeless(expected))
    })
  }

  await t.test("Admissions.lookUp asks for a session again that a server behind the primary did not know", async (t) => {
    const gate = new Admissions()
    const asked = { name: "", database, isPrimary: false }
    const key = { ...question.key, session: crypto.randomUUID() }
    const lookUp = (isPrimary: boolean) =>
      gate.lookUp({ ...asked, isPrimary }, { ...question, key }, waits)
    await t.rejects(lookUp(false), { message: /knows no such session/ })
    const times = { created: past, expires: 4_000_000_000 }
    await writer.insertInto("session")
      .values({ id: key.session, account_id: key.account, ...times }).execute()
    t.match(await lookUp(true), { session: { id: key.session } })
    t.match(await lookUp(false), { session: { id: key.session } })
  })

  await t.test("findGrantedOrganizations returns those of organizations and of single events together", async (t) => {
    const two = await build.organization("two")
    const ofTwo = await build.event(two)
    const cases = [
      [[acme], [ofTwo], ["acme", "two"]],
      [[acme], [event], ["acme"]],
      [[], [ofTwo], ["two"]],
      [[], [], []],
    ] as const
    for (const [organizationIds, eventIds, expected] of cases) {
      const found = await database.snapshot((snapshot) =>
        findGrantedOrganizations(snapshot, { organizationIds, eventIds })
      )
      t.strictSame(found.toSorted(), expected)
    }
  })
})
