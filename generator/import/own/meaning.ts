import type { MeaningDocument } from '../../../spec/language/index.js'
import { descriptionsOf } from '../annotations/said-of.js'
import { memberOf, textOf, type Value } from '../annotations/value.js'
import { compact } from '../spec/compact.js'

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

/** `Description` and `Ref` of a record. */
export function saidIn(value: Value | undefined): ReturnType<typeof descriptionsOf> {
  const members = new Map([
    ['Core.Description', 'Description'],
    ['Specwright.Ref', 'Ref'],
  ])
  return descriptionsOf(term => {
    const member = members.get(term)
    return member === undefined ? undefined : memberOf(value, member)
  })
}
