import type { SyntaxNode } from "@lezer/common"
import { parser } from "@prometheus-io/lezer-promql"

/** A selector of series: a metric, and the labels that it matches. */
export interface Selector {
  readonly metric: string
  readonly labels: readonly string[]
}

/** The metrics and labels of an expression. */
export interface Expression {
  readonly selectors: readonly Selector[]
  /** The labels that it groups or joins by. */
  readonly grouping: readonly string[]
}

/** Parses a PromQL expression. @throws {SyntaxError} with the position. */
export function parsePromql(text: string): Expression {
  const selectors: Selector[] = []
  const grouping: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, node }) {
      if (type.isError) throw new SyntaxError(`${text}\n${" ".repeat(from)}^`)
      if (type.name === "VectorSelector") selectors.push(selectorOf(node, text))
      if (type.name === "GroupingLabels") grouping.push(...namesIn(node, text))
    },
  })
  return { selectors, grouping }
}

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

function selectorOf(node: SyntaxNode, text: string): Selector {
  const name = node.getChild("Identifier")
  return {
    metric: name ? text.slice(name.from, name.to) : "",
    labels: namesIn(node.getChild("LabelMatchers"), text),
  }
}

function namesIn(node: SyntaxNode | null, text: string): string[] {
  const names: string[] = []
  node?.cursor().iterate(({ type, from, to }) => {
    if (type.name === "LabelName") names.push(text.slice(from, to))
  })
  return names
}
