import { descriptionsOf } from '../annotations/said-of.js'
import { memberOf, type Value } from '../annotations/value.js'

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
