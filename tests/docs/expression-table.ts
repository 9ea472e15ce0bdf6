import { evaluate, parseFilter } from '../../runtime/query/index.js'

/**
 * What the tables of a page under the heading `| expression | value |` say, and what is the case: several expressions in a
 * cell have the same value. `nothing` is null in the row that they are evaluated for.
 */
export function expressionTable(page: string): readonly { readonly told: string; readonly found: string }[] {
  const rows = page.split('| expression | value |\n|---|---|\n').slice(1)
  return rows
    .flatMap(text => text.slice(0, text.indexOf('\n\n')).split('\n'))
    .flatMap(line => {
      const [, expressions = '', value = ''] = line.split('|')
      return expressions.split('`, `').map(cell => {
        const expression = cell.replaceAll('`', '').trim()
        const found = JSON.stringify(evaluate(parseFilter(expression), { nothing: null }))
        return { told: `${expression}: ${value.replaceAll('`', '').trim()}`, found: `${expression}: ${found}` }
      })
    })
}
