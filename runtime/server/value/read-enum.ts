import type { EnumTypeInfo } from '../../query/schema.js'
import { unfit } from './unfit.js'

/** Reads member names in any letter case, or their numbers as text; handlers get the names as declared. */
export function readEnum(text: string, type: EnumTypeInfo): string | typeof unfit {
  const parts = text.split(',')
  if (parts.length > 1 && type.flags !== true) return unfit
  const names: string[] = []
  for (const part of parts) {
    const name = memberName(part.trim(), type)
    if (name === undefined) return unfit
    if (!names.includes(name)) names.push(name)
  }
  return names.join(',')
}

function memberName(text: string, type: EnumTypeInfo): string | undefined {
  if (Object.hasOwn(type.members, text)) return text
  const lower = text.toLowerCase()
  return Object.keys(type.members).find(name => name.toLowerCase() === lower || String(type.members[name]) === text)
}
