import type { Support } from './capabilities.js'
import type { CheckContext } from './check-context.js'
import { isSupported, supportedNames } from './is-supported.js'

/** Reports an operator, function or segment of a filter that the record does not declare. */
export function requireNamed(
  sort: 'operator' | 'function' | 'lambda operator' | 'segment',
  name: string,
  record: Readonly<Record<string, Support>>,
  { report }: CheckContext,
): void {
  if (isSupported(record, name) || isSupported(record, name.toLowerCase())) return
  const others = sort === 'segment' ? '' : supportedNames(record)
  report('$filter', `filter.${name}`, `The filter ${sort} '${name}' is not supported here.${others}`)
}
