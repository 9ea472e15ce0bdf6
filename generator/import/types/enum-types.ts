import { type EnumMemberDocument, type EnumTypeDocument, record } from '../../../spec/language/index.js'
import { descriptionsOf } from '../csdl/annotations.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { type CsdlElement, childrenOf, isTrue } from '../csdl/csdl-element.js'
import { isUsableName } from '../csdl/qualified-name.js'
import { omission } from '../finding.js'
import type { ImportContext } from '../import-context.js'
import { unusableName } from '../names.js'
import { compact, oneOf } from '../spec-document.js'

const underlyingTypes = ['Byte', 'SByte', 'Int16', 'Int32', 'Int64'] as const

/** An enumeration; undefined if it has no member that a spec can express. @see OData CSDL 4.01, 10 */
export function importEnumType(
  context: ImportContext,
  { qualifiedName, element }: NamedElement,
): EnumTypeDocument | undefined {
  const { annotations, report } = context
  const members = new Map<string, number | EnumMemberDocument>()
  const values = new Set<number>()
  const written = childrenOf(element, 'Member')
  const isFlags = isTrue(element, 'IsFlags')
  // By default, the value of a member is its index.
  const numberOf = ({ attributes }: CsdlElement, index: number): number => Number(attributes.get('Value') ?? index)
  const bits = written.map(numberOf).filter(isPowerOfTwo)
  for (const [index, member] of written.entries()) {
    const name = member.attributes.get('Name') ?? ''
    const path = `${qualifiedName}/${name}`
    const value = numberOf(member, index)
    const message = refusal(name, value, members, values)
    if (message !== undefined) {
      report(omission('enum-member', message, `${path}: ${member.attributes.get('Value') ?? index}`, member.location))
      continue
    }
    if (isFlags && !isCombination(value, bits)) {
      const message = 'The value of a flag must be a power of two, or a combination of members that are'
      report(omission('flag', message, `${path}: ${value}`, member.location))
      continue
    }
    values.add(value)
    const lookup = descriptionsOf(annotations.of(member, path))
    members.set(name, Object.keys(lookup).length === 0 ? value : { value, ...lookup })
  }
  if (members.size === 0) {
    report(omission('enum-empty', 'An enumeration must have at least one member', qualifiedName, element.location))
    return undefined
  }
  const underlying = oneOf(element.attributes.get('UnderlyingType')?.replace(/^Edm\./, ''), underlyingTypes)
  return compact({
    kind: 'enumType' as const,
    flags: isFlags || undefined,
    underlying: underlying === 'Int32' ? undefined : underlying,
    members: record(members),
    ...descriptionsOf(annotations.of(element, qualifiedName)),
  })
}

/** Why a member cannot be in a spec; undefined for one that can. */
function refusal(
  name: string,
  value: number,
  members: ReadonlyMap<string, unknown>,
  values: ReadonlySet<number>,
): string | undefined {
  if (!isUsableName(name)) return unusableName
  if (members.has(name)) return 'Members of an enumeration must have unique names'
  if (!Number.isInteger(value)) return 'Values of enumeration members must be integers'
  if (!Number.isSafeInteger(value)) {
    return `Values of enumeration members must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, which JavaScript represents exactly`
  }
  return values.has(value) ? 'Members of an enumeration must have unique values; the import keeps the first' : undefined
}

const isPowerOfTwo = (value: number): boolean =>
  Number.isSafeInteger(value) && value > 0 && Number.isInteger(Math.log2(value))

function isCombination(value: number, bits: readonly number[]): boolean {
  let rest = BigInt(value)
  for (const bit of bits) rest &= ~BigInt(bit)
  return value >= 0 && rest === 0n
}
