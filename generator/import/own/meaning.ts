import type { MeaningDocument } from '../../../spec/language/index.js'
import { memberOf, textOf, type Value } from '../annotations/value.js'
import { compact } from '../spec/compact.js'
import { saidIn } from './said-in.js'

/** The query that an operation is, from `Specwright.Meaning`. */
export function importMeaning(value: Value | undefined): MeaningDocument | undefined {
  const of = textOf(memberOf(value, 'Of'))
  if (of === undefined) return undefined
  return compact({
    of,
    transitive: memberOf(value, 'Transitive') === true || undefined,
    filter: textOf(memberOf(value, 'Filter')),
    orderby: textOf(memberOf(value, 'Orderby')),
    value: textOf(memberOf(value, 'Value')),
    ...saidIn(value),
  })
}
