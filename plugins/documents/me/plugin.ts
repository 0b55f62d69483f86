import * as v from "valibot"
import { internalHandler } from "../../../core/capability.ts"
import { definePlugin, type HandlerRoute, type Method, signedIn } from "../../../core/plugin.ts"
import { html } from "../../design/design.ts"
import { refuse } from "../docs/pages.ts"
import { quota } from "./quota.ts"
import { type OwnAddition, type OwnSection, type OwnVisit, respondMe } from "./page.ts"
import { seen } from "./seen.ts"
import { makeTurns } from "./turns.ts"

/** An account's page about itself: how its programs are doing, its limits and tokens. */
export default definePlugin({
  apiVersion: 3,
  name: "me",
  summary: "The page of an account about itself: how its programs are doing, quota, tokens",
  settings: v.strictObject({}),
  mount(_, additions = []) {
    const all = additions as readonly OwnAddition[]
    const inTurn = makeTurns()
    const parts = all.filter((each) => each.kind === "seen")
    const sections = [
      ...all.filter((each) => each.kind === "section"),
      quota,
      seen(parts),
    ].toSorted((a, b) => a.order - b.order)
    return {
      prefix: "/docs/me",
      routes: [
        routeOf("GET", "", (visit) => (
          inTurn(visit.caller.account.id, () => showMe(visit, sections))
        )),
        ...all.flatMap((each) =>
          each.kind === "form" ? routeOf("POST", each.path, each.submit) : []
        ),
      ],
    }
  },
})

function routeOf(
  method: Method,
  path: string,
  show: (visit: OwnVisit) => Promise<Response>,
): HandlerRoute {
  return internalHandler(method, path, {
    auth: signedIn,
    async handle(context) {
      const { session: caller, host } = context
      if (!caller) throw new TypeError("the page of an account is for callers with a session")
      return await show({ ...context, caller, catalogue: await host.catalogue() })
    },
    refused: refuse,
  })
}

/** Shows all sections that have content. */
async function showMe(visit: OwnVisit, sections: readonly OwnSection[]): Promise<Response> {
  const rendered = await Promise.all(sections.map(async ({ id, title, render }) => (
    { id, title, content: await render(visit) }
  )))
  const shown = rendered.filter(({ content }) => content !== undefined)
  return respondMe(visit, {
    title: "Your account",
    contents: shown,
    main: shown.map(({ id, title, content }) =>
      html`
        <section aria-labelledby="${id}">
          <h2 id="${id}">${title}</h2>
          ${content}
        </section>
      `
    ),
  })
}
