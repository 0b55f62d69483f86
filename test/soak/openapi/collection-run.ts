// @ts-expect-error: newman has no types of its own
import newman from "newman"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"

/** The part of newman's summary that is read here. */
interface Summary {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string }
      readonly response?: { readonly code: number }
    }[]
    readonly failures: readonly {
      readonly error: Error
      readonly source?: { readonly name: string }
    }[]
  }
}

/** The outcome of a collection: its requests in order, and the tests in it that failed. */
export interface CollectionRun {
  readonly requests: readonly { readonly name: string; readonly status: number }[]
  readonly failed: readonly string[]
}

/** Sends all the requests of a Postman collection in order, with variables of the environment. */
export function runCollection(
  collection: Json,
  variables: Readonly<Record<string, string>>,
): Promise<CollectionRun> {
  const values = Object.entries(variables).map(([key, value]) => ({ key, value, enabled: true }))
  return new Promise((resolve, reject) => {
    const options = { collection, environment: { values }, reporters: [] }
    newman.run(options, (error: Error | null, summary: Summary) => {
      if (error) return reject(error)
      resolve({
        requests: summary.run.executions.map(({ item, response }) => ({
          name: item.name,
          status: response?.code ?? 0,
        })),
        failed: summary.run.failures.map(({ error, source }) =>
          `${source?.name}: ${error.message}`
        ),
      })
    })
  })
}
