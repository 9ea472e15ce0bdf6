import type { Value } from '../value/value.js'

type TextFunction = (text: string, second: Value, third: Value) => Value

/** Functions of a text; lengths and positions count characters of Unicode. */
export const textFunctions: Readonly<Partial<Record<string, TextFunction>>> = {
  tolower: text => text.toLowerCase(),
  toupper: text => text.toUpperCase(),
  trim: text => text.trim(),
  length: text => [...text].length,
  concat: (text, other) => (typeof other === 'string' ? text + other : null),
  indexof: (text, part) => {
    if (typeof part !== 'string') return null
    const found = text.indexOf(part)
    return found < 0 ? -1 : [...text.slice(0, found)].length
  },
  substring: (text, start, length) => {
    if (typeof start !== 'number') return null
    const from = Math.max(0, start)
    return [...text].slice(from, typeof length === 'number' ? from + Math.max(0, length) : undefined).join('')
  },
}
