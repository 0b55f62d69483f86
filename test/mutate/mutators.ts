// Mutations that people make and Stryker does not: wrong numbers, a forgotten call or await, swapped
// arguments, a clause missing in a statement, a part missing in a key or an object. Stryker has no
// interface for them: they are added to its list, which its packages do not export.
import { types } from "@babel/core"
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"
import { allMutators } from "./node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js"

/** Methods that each add a clause to a statement. */
const clauses = /^(where|whereRef|on|onRef|and|or|orderBy|groupBy|having|limit|offset|distinct)$/

/** Each yields the nodes to put in the place of a node, one at a time. */
const mutators: Record<string, (node: types.Node) => Iterable<types.Node>> = {
  *Number(node) {
    if (!types.isNumericLiteral(node)) return
    yield types.numericLiteral(node.value + 1)
    if (node.value >= 10) yield types.numericLiteral(node.value * 10)
  },
  *Call(node) {
    if (!types.isExpressionStatement(node)) return
    const { expression } = node
    if (types.isCallExpression(expression) || types.isAwaitExpression(expression)) {
      yield types.emptyStatement()
    }
  },
  *Await(node) {
    if (types.isAwaitExpression(node)) yield types.cloneNode(node.argument)
  },
  *Arguments(node) {
    if (!types.isCallExpression(node)) return
    const [first, second, ...rest] = node.arguments
    if (!first || !second || types.isFunction(second) || types.isObjectExpression(second)) return
    if (isOfAnyOrder(node.callee)) return
    yield { ...types.cloneNode(node), arguments: [second, first, ...rest] }
  },
  *Clause(node) {
    if (!types.isCallExpression(node) || !types.isMemberExpression(node.callee)) return
    const { object, property } = node.callee
    const isClause = types.isIdentifier(property) && clauses.test(property.name)
    if (isClause && types.isCallExpression(object)) yield types.cloneNode(object)
  },
  *Part(node) {
    if (types.isObjectExpression(node) && node.properties.length > 1) {
      for (const each of node.properties) {
        const properties = node.properties.filter((other) => other !== each)
        yield { ...types.cloneNode(node), properties }
      }
    }
    if (types.isTemplateLiteral(node)) {
      for (const index of node.expressions.keys()) {
        const expressions = node.expressions.with(index, types.stringLiteral(""))
        yield { ...types.cloneNode(node), expressions }
      }
    }
  },
}

/** True for `Math.min` and `Math.max`, whose arguments have no order. */
function isOfAnyOrder(callee: types.Node): boolean {
  return types.isMemberExpression(callee) && types.isIdentifier(callee.object, { name: "Math" }) &&
    types.isIdentifier(callee.property) && /^(min|max)$/.test(callee.property.name)
}

/** What is used of Babel's path to a node. */
interface Path {
  readonly node: types.Node
  readonly parent: types.Node
  findParent(isSought: (path: Path) => boolean): Path | null
}

/** True for `return await` outside of `try`, where it makes no difference. */
function isMereReturn(path: Path): boolean {
  return types.isAwaitExpression(path.node) && types.isReturnStatement(path.parent) &&
    !path.findParent(({ node }) => types.isTryStatement(node))
}

for (const [name, mutate] of Object.entries(mutators)) {
  allMutators.push({ name, mutate: (path: Path) => isMereReturn(path) ? [] : mutate(path.node) })
}

/** Leaves the texts of errors as they are. */
const messages = {
  shouldIgnore({ node, parent }: { readonly node: types.Node; readonly parent?: types.Node }) {
    const isText = types.isStringLiteral(node) || types.isTemplateLiteral(node)
    return isText && types.isNewExpression(parent) ? "the text of an error" : undefined
  },
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "messages", messages as never),
]
