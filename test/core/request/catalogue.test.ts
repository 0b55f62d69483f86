import t from "tap"
import { familiesOf } from "../../../core/request/catalogue.ts"
import { testConfig } from "../../support/app.ts"

t.test("familiesOf begins with the reader's own, then has those with most lists", async (t) => {
  const { routes } = await testConfig("sqlite:unused")
  const reader = { username: "borealis-export", role: "service" } as const
  t.strictSame(familiesOf(routes, reader), [
    "/borealis/v1",
    "/acme/v1",
    "/connector-b/v1",
    "/connector-a/v1",
  ])
  t.strictSame(familiesOf(routes, undefined), [
    "/acme/v1",
    "/borealis/v1",
    "/connector-b/v1",
    "/connector-a/v1",
  ])
})
