import { type EnumMember, safeIntegerRange } from '../model/types.js'
import type { Check } from './check.js'

/**
 * The members of an enumeration have different values that fit its underlying type; with `flags` each is a power of two,
 * zero, or a combination of the others.
 *
 * @see OData CSDL 4.01, 10 (enumeration type)
 */
export const enumMembers: Check = ({ service, report }) => {
  for (const type of service.enumTypes) {
    const [least, most] = safeIntegerRange(type.underlying) ?? [0, 0]
    const bits = type.members.reduce((all, { value }) => (isPowerOfTwo(value) ? all | BigInt(value) : all), 0n)
    const first = new Map<number, EnumMember>()
    for (const member of type.members) {
      const { name, value, location } = member
      const other = first.get(value)
      if (other === undefined) {
        first.set(value, member)
      } else {
        const message = `"${name}" has the value ${value}, which "${other.name}" already has. Give it another value.`
        const related = [{ message: `"${other.name}" is here`, at: other.location.pointer, on: 'key' as const }]
        report({ code: 'spec/enum-value', message, at: location.pointer, related })
      }
      if (value < least || value > most) {
        const message = `${value} does not fit ${type.underlying}: ${least} to ${most}. Choose another \`underlying\` type.`
        report({ code: 'spec/enum-range', message, at: location.pointer })
      } else if (type.flags && (value < 0 || (BigInt(value) & ~bits) !== 0n)) {
        const message = `${value} is neither a power of two nor a combination of members that are.`
        report({ code: 'spec/flag-value', message, at: location.pointer })
      }
    }
  }
}

const isPowerOfTwo = (value: number): boolean =>
  value > 0 && Number.isSafeInteger(value) && Number.isInteger(Math.log2(value))
