import type { RootOperationNode } from "kysely"
import type { Database } from "../../core/data/database.ts"

/** Returns the writer of a database that calls a function with each statement before it is sent. */
export function watchStatements(
  { writer, dialect }: Database,
  onStatement: (node: RootOperationNode) => void,
): Database {
  const watched = writer.withPlugin({
    transformQuery({ node }) {
      onStatement(node)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  return { dialect, writer: watched } as Database
}
