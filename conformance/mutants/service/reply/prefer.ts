import type { Preference } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { isObject, type JsonObject } from './project.js'

/** The preferences of a request that are followed, with their values. */
export function preferred(at: Exchange): readonly { readonly preference: Preference; readonly value: string }[] {
  const header = at.behaviour.header('Prefer', at) ?? ''
  return at.endpoint.preferences.flatMap(preference => {
    const value = preferenceValue(header, preference.name)
    return value !== undefined && preference.values.includes(value) ? [{ preference, value }] : []
  })
}

/** The value of a preference, which may have a vendor's prefix: `outlook.body-content-type="text"`. */
export function preferenceValue(header: string, name: string): string | undefined {
  for (const part of header.split(/[,;]/)) {
    const [given = '', value = ''] = part.split('=', 2).map(each => each.trim())
    const short = given.slice(given.lastIndexOf('.') + 1).toLowerCase()
    if (given.toLowerCase() === name || short === name) return value.replaceAll('"', '')
  }
  return undefined
}

/** An item whose property, and the text beside it, are as a preference wants them. */
export function prefer(item: JsonObject, { property }: Preference, value: string): JsonObject {
  const [outer = '', inner = ''] = property?.split('/') ?? []
  const object = item[outer]
  if (!isObject(object) || object[inner] === value || !Object.hasOwn(object, inner)) return item
  const changed = Object.fromEntries(
    Object.entries(object).map(([name, each]) => [name, name === inner ? value : convert(each, value)]),
  )
  return { ...item, [outer]: changed }
}

function convert(text: Json, form: string): Json {
  if (typeof text !== 'string') return text
  if (form === 'html') return `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`
  let plain = ''
  let inside = false
  for (const character of text) {
    if (character === '<') inside = true
    else if (character === '>') inside = false
    else if (!inside) plain += character
  }
  return plain
}
