import { isIdentifier } from './identifier.js'

const memberNumber = /^[+-]?[0-9]{1,19}$/

/** Whether the text is a list of member names or integers, `Red,Blue`. @see OData ABNF, `enumValue` */
export function isEnumMembers(text: string): boolean {
  return text.split(',').every(member => isIdentifier(member) || memberNumber.test(member))
}
