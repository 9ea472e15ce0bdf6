import { isRow } from '../is-row.js'

/** Levels of arrays and objects. No service has as many; what is nested far deeper cannot even be written again. */
const mostLevels = 1000

/** The JSON of a body; absent when it is none, or one of more levels than can be looked at. */
export function jsonOf(text: string): unknown {
  if (text === '') return undefined
  try {
    const json: unknown = mayShadow(text) ? JSON.parse(text, (_, value) => printable(value)) : JSON.parse(text)
    return mayBeDeep(text) && isDeeper(json, mostLevels) ? undefined : json
  } catch {
    return undefined
  }
}

/** Whether members may be called `toString` or `valueOf`, in letters or in the numbers of letters. */
function mayShadow(text: string): boolean {
  return text.includes('"toString"') || text.includes('"valueOf"') || /\\u00[4-7]/.test(text)
}

/** An object whose members hide the functions that make a text of it would throw where a text is made of what came. */
function printable(value: unknown): unknown {
  if (!isRow(value) || !(Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf'))) return value
  return Object.defineProperty(value, Symbol.toPrimitive, { value: () => '[object Object]' })
}

/** Whether a text has enough brackets at all: few have, so that most are not walked through. */
function mayBeDeep(text: string): boolean {
  let opened = 0
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      opened++
      if (opened > mostLevels) return true
    }
  }
  return false
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some(each => isDeeper(each, levels - 1))
  for (const name in value) if (isRow(value) && isDeeper(value[name], levels - 1)) return true
  return false
}
