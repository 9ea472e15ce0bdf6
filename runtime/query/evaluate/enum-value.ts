import type { EnumTypeInfo, TypeTable } from '../schema.js'
import { typeKey } from '../type-key.js'
import { enumType } from './type-lookup.js'
import type { EnumValue } from './value.js'

const signedInteger = /^[+-]?[0-9]+$/

/** The members named in a text, `Red,Blue`, as a value of an enumeration; also those that the type does not know. */
export function enumValue(type: string, text: string, types: TypeTable | undefined): EnumValue {
  return { kind: 'enum', type: typeKey(type, types), text, number: enumNumber(text, enumType(type, types)) }
}

/** The number of the members named in a text, or undefined when one of them is not known. */
export function enumNumber(text: string, type: EnumTypeInfo | undefined): bigint | undefined {
  let number = 0n
  for (const name of memberNames(text)) {
    const member = type !== undefined && Object.hasOwn(type.members, name) ? type.members[name] : undefined
    if (member !== undefined) number |= BigInt(member)
    else if (signedInteger.test(name)) number |= BigInt(name)
    else return undefined
  }
  return number
}

/** The members of a text, without the spaces that JSON allows between them. */
export function memberNames(text: string): readonly string[] {
  return text.split(',').map(name => name.trim())
}

/** The text of the member or members that a number stands for; the number itself when no members do. */
export function enumText(number: bigint, type: EnumTypeInfo): string {
  const members = Object.entries(type.members)
  const exact = members.find(([, value]) => BigInt(value) === number)
  if (exact !== undefined) return exact[0]
  const parts = members.filter(([, value]) => value !== 0 && (number & BigInt(value)) === BigInt(value))
  const sum = parts.reduce((bits, [, value]) => bits | BigInt(value), 0n)
  return type.flags === true && sum === number ? parts.map(([name]) => name).join(',') : String(number)
}
