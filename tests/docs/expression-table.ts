import { evaluate, parseFilter } from '../../runtime/query/index.js'

/**
 * The values in tables with the header `| expression | value |`, each with the actual value. Several expressions in a cell have the
 * same value. `nothing` is a property that is null.
 */
export function expressionTable(page: string): readonly { readonly expected: string; readonly found: string }[] {
  const rows = page.split('| expression | value |\n|---|---|\n').slice(1)
  return rows
    .flatMap(text => text.slice(0, text.indexOf('\n\n')).split('\n'))
    .flatMap(line => {
      const [, expressions = '', value = ''] = line.split('|')
      return expressions.split('`, `').map(cell => {
        const expression = cell.replaceAll('`', '').trim()
        const found = JSON.stringify(evaluate(parseFilter(expression), { nothing: null }))
        return { expected: `${expression}: ${value.replaceAll('`', '').trim()}`, found: `${expression}: ${found}` }
      })
    })
}
