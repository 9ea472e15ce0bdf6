import type { Expression } from '../../query/ast.js'
import { parseFilter } from '../../query/parse/filter.js'
import { QuerySyntaxError } from '../../query/query-syntax-error.js'
import { literalJson } from './literal-json.js'
import { unfit } from './unfit.js'

const simpleString = /^'[^']*'$/

/**
 * Reads a literal as it stands between the parentheses of a path, `'x'`, `2`, `@p`, as JSON for `type`; `unfit` when it
 * is none. `aliases` say what `@p` stands for.
 */
export function readLiteral(
  text: string,
  type: string,
  aliases: Readonly<Record<string, Expression>> | undefined,
): unknown {
  if (simpleString.test(text)) return literalJson({ kind: 'literal', type: 'String', value: text.slice(1, -1) }, type)
  const expression = parse(text)
  const resolved = expression?.kind === 'alias' ? aliasOf(expression.name, aliases) : expression
  return resolved === undefined ? unfit : literalJson(resolved, type)
}

function aliasOf(name: string, aliases: Readonly<Record<string, Expression>> | undefined): Expression | undefined {
  return aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

function parse(text: string): Expression | undefined {
  try {
    return parseFilter(text)
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}
