import type { SearchExpression } from '../ast.js'
import type { CheckContext } from './check-context.js'
import { propertyTerm } from './property-term.js'

/** `$search`: how terms are joined, and for property terms, which properties they may name. */
export function checkSearch(search: SearchExpression, { report, capabilities }: CheckContext): void {
  const { support, join, syntax, properties } = capabilities.search
  if (support === 'none') {
    report('$search', 'search', "The query option '$search' is not supported here.")
    return
  }
  const waiting = [search]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'term' || node.kind === 'phrase') {
      if (syntax === 'propertyTerms') checkPropertyTerm(node.text, properties, report)
      continue
    }
    const operator = node.kind === 'not' ? 'NOT' : node.kind === 'and' ? 'AND' : 'OR'
    if (!join.includes(operator)) {
      const others = join.length === 0 ? ' One term only is supported.' : ` Supported: ${join.join(', ')}.`
      report('$search', `search.${operator}`, `${operator} is not supported in '$search' here.${others}`)
    }
    if (node.kind === 'not') waiting.push(node.operand)
    else waiting.push(node.right, node.left)
  }
}

function checkPropertyTerm(text: string, properties: readonly string[], report: CheckContext['report']): void {
  const supported = ` Supported: ${properties.join(', ')}.`
  const found = propertyTerm(text)
  if (found === undefined) {
    const message = `'${text}' is not supported in '$search' here: write "property:term" in double quotes.${supported}`
    report('$search', 'search.words', message)
  } else if (!properties.includes(found.property)) {
    const message = `Searching in '${found.property}' is not supported here.${supported}`
    report('$search', 'search', message, found.property)
  }
}
