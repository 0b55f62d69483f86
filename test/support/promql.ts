import type { SyntaxNode } from "@lezer/common"
import { parser } from "@prometheus-io/lezer-promql"

/** The comparisons of PromQL, by the names of the parser's nodes. */
const comparisons = ["Eql", "Neq", "Gtr", "Lss", "Gte", "Lte"]

/**
 * Returns an expression of comparisons, as alerts are, so that it returns 0 or 1 for each series that it compares, not
 * only the series for which it is true. Those may be combined by `and` and `unless`.
 *
 * @throws {Error} if it is no comparison.
 */
export function comparisonAsValue(text: string): string {
  const operators = comparisonsIn(parser.parse(text).topNode.getChild("BinaryExpr"))
  if (operators.length === 0) throw new Error(`${text} is no comparison`)
  return operators.toReversed().reduce(
    (changed, { to }) => `${changed.slice(0, to)} bool${changed.slice(to)}`,
    text,
  )
}

function comparisonsIn(expression: SyntaxNode | null): SyntaxNode[] {
  if (!expression) return []
  const operator = comparisons.map((name) => expression.getChild(name)).find(Boolean)
  if (operator) return [operator]
  const isSet = ["And", "Unless"].some((name) => expression.getChild(name))
  return isSet ? expression.getChildren("BinaryExpr").flatMap(comparisonsIn) : []
}
