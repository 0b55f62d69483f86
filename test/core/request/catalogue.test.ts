import t from "tap"
import { familiesOf } from "../../../core/request/catalogue.ts"
import { testConfig } from "../../support/app.ts"

t.test("familiesOf begins with the family polled last, then has the reader's own, then those with most lists", async (t) => {
  const { routes } = await testConfig("sqlite:unused")
  const reader = { username: "borealis-export", role: "service" } as const
  t.strictSame(familiesOf(routes, reader, "/connector-a/v1"), [
    "/connector-a/v1",
    "/borealis/v1",
    "/acme/v1",
    "/connector-b/v1",
  ])
  t.strictSame(familiesOf(routes, undefined, undefined), [
    "/acme/v1",
    "/borealis/v1",
    "/connector-b/v1",
    "/connector-a/v1",
  ])
})
