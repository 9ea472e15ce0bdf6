import type { FilterCapabilities, Support } from '../../../spec/language/model/index.js'

/** What the client's filter builder offers, and what can be called by name through it. */
const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'has', 'and', 'or', 'not']
const functions = [
  ...['startsWith', 'endsWith', 'contains', 'tolower'],
  ...['concat', 'indexof', 'length', 'substring', 'toupper', 'trim', 'matchespattern'],
  ...['year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalseconds', 'totalseconds', 'totaloffsetminutes'],
  ...['round', 'floor', 'ceiling'],
]
const lambdas = ['any', 'all']

/** Members of the filter builder that can be used where a filter may hold so much. */
export function builderMembers(filter: FilterCapabilities): readonly string[] {
  return [
    ...operators.filter(supportedIn(filter.operators)),
    ...functions.filter(supportedIn(filter.functions)),
    ...lambdas.filter(supportedIn(filter.lambdas)),
  ]
}

function supportedIn(declared: Readonly<Record<string, Support>>): (name: string) => boolean {
  const supported = new Set(
    Object.keys(declared)
      .filter(name => declared[name] !== 'none')
      .map(name => name.toLowerCase()),
  )
  return name => supported.has(name.toLowerCase())
}
