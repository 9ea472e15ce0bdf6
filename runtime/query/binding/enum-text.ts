import type { TypeTable } from '../schema.js'
import { didYouMean } from './suggestion.js'

/**
 * What is wrong with a text that shall be a value of an enumeration type: names of members, or their numbers; several
 * with commas when the type has flags. Absent: nothing is wrong.
 *
 * @see OData ABNF, `enumValue`
 */
export function wrongEnumMembers(typeName: string, text: string, types: TypeTable): string | undefined {
  const info = Object.hasOwn(types, typeName) ? types[typeName] : undefined
  if (info?.kind !== 'enumType') return undefined
  const written = text.split(',')
  if (written.length > 1 && info.flags !== true) {
    return `'${text}' names ${written.length} members, but '${typeName}' takes one: it has no flags.`
  }
  for (const name of written) {
    if (Object.hasOwn(info.members, name)) continue
    if (/^-?\d{1,19}$/.test(name) && (info.flags === true || Object.values(info.members).includes(Number(name))))
      continue
    const members = Object.keys(info.members)
    const hint = didYouMean(name, members) || ` Expected one of ${members.slice(0, 20).join(', ')}.`
    return `'${name}' is no member of the enumeration '${typeName}'.${hint}`
  }
  return undefined
}
