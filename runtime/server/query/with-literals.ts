import type { Expression, Literal, QueryOptions } from '../../query/ast.js'

/** The options with other literals in `$filter` and in aliases; what none of them is in stays the same object. */
export function withLiterals(options: QueryOptions, literals: ReadonlyMap<Literal, Literal>): QueryOptions {
  const { filter, aliases } = options
  const moved = filter === undefined ? options : { ...options, filter: replaced(filter, literals) }
  return aliases === undefined ? moved : { ...moved, aliases: replacedAliases(aliases, literals) }
}

function replacedAliases(
  aliases: NonNullable<QueryOptions['aliases']>,
  literals: ReadonlyMap<Literal, Literal>,
): NonNullable<QueryOptions['aliases']> {
  const result: Record<string, Expression> = Object.create(null)
  for (const [name, value] of Object.entries(aliases)) result[name] = replaced(value, literals)
  return result
}

/** Goes where literals are compared, combined and called with; not into paths. */
function replaced(tree: Expression, literals: ReadonlyMap<Literal, Literal>): Expression {
  const inside = (part: Expression): Expression => replaced(part, literals)
  switch (tree.kind) {
    case 'literal':
      return literals.get(tree) ?? tree
    case 'binary': {
      const left = inside(tree.left)
      const right = inside(tree.right)
      return left === tree.left && right === tree.right ? tree : { ...tree, left, right }
    }
    case 'unary':
      return { ...tree, operand: inside(tree.operand) }
    case 'call':
      return { ...tree, arguments: tree.arguments.map(inside) }
    case 'list':
      return { ...tree, items: tree.items.map(inside) }
    case 'lambda':
      return tree.predicate === undefined ? tree : { ...tree, predicate: inside(tree.predicate) }
    default:
      return tree
  }
}
