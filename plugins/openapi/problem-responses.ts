import { type Catalogue, type MountedRoute, type ProblemCode, problems } from "../../core/plugin.ts"
import { exampleRequestId } from "./examples.ts"
import type { ResponseHeaders } from "./headers.ts"
import { problemSchema, problemsOf } from "./problems.ts"
import { pascal } from "./records.ts"
import type { Json, Schemas } from "./schemas.ts"

/** The error responses of a document. Routes with the same errors share them. */
export class ProblemResponses {
  readonly #example: Catalogue["example"]
  readonly #schemas: Schemas
  readonly #headers: ResponseHeaders
  readonly #responses = new Map<string, Json>()
  readonly #examples = new Map<string, Json>()

  constructor(
    example: Catalogue["example"],
    { schemas, headers }: { readonly schemas: Schemas; readonly headers: ResponseHeaders },
  ) {
    this.#example = example
    this.#schemas = schemas
    this.#headers = headers
  }

  /** Returns references to the errors of a route, by status. */
  of(route: MountedRoute): Json {
    return Object.fromEntries(
      problemsOf(route).map(({ status, codes, headers }) => {
        const examples = codes.map((code) => this.#nameExample(code, route))
        const name = add(this.#responses, nameOf(examples, route), {
          description: codes.map((code) => `${problems[code].title} (\`${code}\`)`).join("; or: "),
          headers: this.#headers.of(headers),
          content: {
            "application/problem+json": {
              schema: this.#schemas.of(problemSchema),
              examples: Object.fromEntries(
                codes.map((code, index) => [code, {
                  $ref: `#/components/examples/${examples[index]}`,
                }]),
              ),
            },
          },
        })
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  /** The responses with references, by name. */
  get responses(): Json {
    return sorted(this.#responses)
  }

  /** The examples of those responses, by name. */
  get examples(): Json {
    return sorted(this.#examples)
  }

  #nameExample(code: ProblemCode, route: MountedRoute): string {
    const value = this.#example(code, route).toJSON(exampleRequestId)
    const ofEvent = code === "invalid_parameter" && route.pattern.parameters.includes("eventId")
    return add(this.#examples, ofEvent ? "invalid_event_id" : code, {
      summary: problems[code].title,
      value,
    })
  }
}

function nameOf(examples: readonly string[], { deprecated }: MountedRoute): string {
  return `${examples.map(pascal).join("Or")}${deprecated ? "Deprecated" : ""}`
}

/** Stores a value and returns its name, which gets a number if another value has the name. */
function add(kept: Map<string, Json>, name: string, value: Json): string {
  for (let number = 1;; number++) {
    const numbered = number === 1 ? name : `${name}${number}`
    const found = kept.get(numbered)
    if (found && JSON.stringify(found) !== JSON.stringify(value)) continue
    kept.set(numbered, value)
    return numbered
  }
}

function sorted(kept: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...kept].sort(([a], [b]) => a < b ? -1 : 1))
}
