import { setImmediate } from "node:timers/promises"
import { Lexer } from "yaml"
import {
  ConfigError,
  type ConfigProblem,
  type Database,
  draftInPlaceOf,
  findObstacles,
  findWarnings,
  loadPlugin,
  type MountedRoute,
  type Plan,
  planDraft,
  pluginNames,
  type RouteSummary,
  summarizeRoutes,
  visibleRoutes,
  type Warning,
} from "../../../core/capability.ts"
import { type Changes, comparedOf, findChanges, lineOf } from "./changes.ts"
import { findSamePorts } from "./listening.ts"
import { findReach } from "./reach.ts"
import { describeRouteChanges } from "./route-changes.ts"

/** What is wrong with a draft of a configuration, or what it would change. */
export interface DraftCheck extends Changes {
  /** Mistakes in the text, in its order. If there are any, nothing else is known. */
  readonly problems: readonly ConfigProblem[]
  /** Reasons why it would not be served. */
  readonly errors: readonly string[]
  readonly warnings: readonly Warning[]
  /** True if it could be served. */
  readonly isGood: boolean
  /** How many plugins and routes it has. */
  readonly counts: { readonly plugins: number; readonly routes: number }
  /** A line per change that an account sees which reads, those with the same changes together. */
  readonly perAccount: readonly {
    readonly accounts: readonly string[]
    readonly changes: readonly string[]
  }[]
}

/**
 * Checks a text in the place of the configuration in force, like `event-export check --against` does with a
 * file, and returns what would change and for whom. Uses the database of the plan in force: opens no other,
 * reads no file, writes nothing.
 */
export async function checkDraft(
  database: Database,
  running: Plan,
  text: string,
): Promise<DraftCheck> {
  if (hasTooManyTokens(text)) {
    const message = "this has too many words and signs to check here"
    return { ...nothing, problems: [{ file: "draft", line: 1, column: 1, message }] }
  }
  try {
    // After other checks, those who wait for something else have their turn first.
    await setImmediate()
    const plan = await readDraft(running, text)
    const changes = await findChanges(database, await comparedOf(running), plan)
    const errors = [...findSamePorts(plan), ...await findObstacles(database, plan)]
    const warnings = errors.length > 0 ? [] : await findWarnings(database, plan)
    return {
      problems: [],
      errors,
      warnings,
      isGood: errors.length === 0,
      counts: { plugins: plan.plugins.length, routes: plan.routes.length },
      ...changes,
      perAccount: await findChangesPerAccount(database, { running, plan, felt: changes.felt }),
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { ...nothing, problems: error.problems }
  }
}

/**
 * Plans a text in the place of the file of a plan in force. Reads no secret and no file (`draftInPlaceOf`), and loads
 * only plugins in `plugins/` and those of the plan in force. Refuses what would take long to check.
 *
 * @throws {ConfigError} with everything that is wrong in the text and in its plugins.
 */
export async function readDraft(running: Plan, text: string): Promise<Plan> {
  const draft = await draftInPlaceOf(running, text)
  const { plugins } = (draft.source.value ?? {}) as { readonly plugins?: unknown }
  if (Array.isArray(plugins) && plugins.length > mostPlugins) {
    const message = `there are too many plugins to check here: no more than ${mostPlugins} are`
    draft.source.report({ path: ["plugins"], message, at: "name" })
    draft.accept()
  }
  const known = new Set([...pluginNames(), ...running.plugins.map(({ use }) => use)])
  return await planDraft(draft, {
    load: async (use, base) => {
      if (!known.has(use)) throw new Error(notLoaded)
      return await loadPlugin(use, base)
    },
    most: mostPlugins,
    mostRoutes: 10_000,
  })
}

const mostPlugins = 1000

const notLoaded = "a draft may name only plugins in plugins/ and plugins of the configuration in " +
  'force, because loading runs their code. "event-export check" loads others'

/** The most tokens of a draft: parsing takes the more time the more there are, however short the text is. */
const mostTokens = 50_000

/** True if a text has more tokens of YAML. Reads no further then. */
function hasTooManyTokens(text: string): boolean {
  let count = 0
  for (const _ of new Lexer().lex(text)) if (++count > mostTokens) return true
  return false
}

const nothing: DraftCheck = {
  problems: [],
  errors: [],
  warnings: [],
  isGood: false,
  counts: { plugins: 0, routes: 0 },
  fixed: [],
  routes: [],
  felt: [],
  others: [],
  isComplete: true,
  perAccount: [],
}

/**
 * Compares the routes that each account may use, and adds what settings do to it. Operators may use all; disabled
 * accounts none.
 */
async function findChangesPerAccount(
  database: Database,
  { running, plan, felt }: Pick<Changes, "felt"> & { readonly running: Plan; readonly plan: Plan },
): Promise<DraftCheck["perAccount"]> {
  const accounts = [...await findReach(database)].filter(([, { role, disabled }]) =>
    role !== "operator" && role !== "viewer" && !disabled
  )
  const found = await Array.fromAsync(accounts, async ([username, { role, organizations }]) => {
    // Many accounts and routes take a while: requests are answered in between.
    await setImmediate()
    const viewer = { account: { username, role }, organizations }
    const seen = (routes: readonly MountedRoute[]) =>
      summarizeRoutes(visibleRoutes(routes, viewer)).map((route) => onlyOf(route, organizations))
    const ofSettings = felt.flatMap(({ name, change, accounts }) =>
      accounts.filter(({ account }) => account === username)
        .map(({ consequence }) => lineOf({ name, change, effect: consequence }))
    )
    const ofRoutes = describeRouteChanges(seen(running.routes), seen(plan.routes))
    return { username, changes: [...ofRoutes, ...ofSettings] }
  })
  const changed = found.filter(({ changes }) => changes.length > 0)
  return [...Map.groupBy(changed, ({ changes }) => changes.join("\n")).values()].map((same) => ({
    accounts: same.map(({ username }) => username),
    changes: same[0]?.changes ?? [],
  }))
}

/** Leaves out the organizations of others: a change of those is none for the account. */
function onlyOf(route: RouteSummary, own: readonly string[]): RouteSummary {
  const [policy = ""] = route.policy.split(";")
  const organizations = route.organizations?.filter((slug) => own.includes(slug)) ?? null
  return { ...route, policy, organizations }
}
