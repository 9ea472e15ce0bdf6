import { propertyName } from '../names/property-name.js'
import { type Breakable, bracketed, labelled, layOut, spaced, unbroken } from './breakable.js'
import { stringLiteral } from './string-literal.js'

/**
 * Plain data (strings, numbers, booleans, null, arrays and objects of these) as a TypeScript literal in its final format:
 * on one line where that fits, else one member a line. Members that are undefined are left out.
 *
 * @param indentation how many columns the line that it begins on is indented by
 * @param before how many columns stand before it on that line, its indentation included
 * @param constants objects that stand in a constant of their own, whose name is written instead
 * @throws a TypeError for what is no plain data
 */
export function valueLiteral(
  value: unknown,
  indentation = 0,
  before: number = indentation,
  constants: ReadonlyMap<unknown, string> = new Map(),
): string {
  return layOut(literal(value, constants), indentation, before, 1)
}

function literal(value: unknown, constants: ReadonlyMap<unknown, string>): Breakable {
  const constant = constants.get(value)
  if (constant !== undefined) return unbroken(constant)
  if (typeof value === 'string') return unbroken(stringLiteral(value))
  if (typeof value === 'number') return unbroken(Object.is(value, -0) ? '-0' : String(value))
  if (typeof value === 'boolean' || value === null) return unbroken(String(value))
  if (Array.isArray(value))
    return bracketed(
      '[',
      value.map(item => literal(item, constants)),
      ']',
      ',',
    )
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is no plain data`)
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [labelled(`${propertyName(name)}: `, memberLiteral(name, member, constants))],
  )
  return members.length === 0 ? unbroken('{}') : spaced(bracketed('{', members, '}', ','))
}

/**
 * What is called like a member of every object, the compiler takes for that member, and its literals for any string: it
 * has to be told that they are constant.
 */
function memberLiteral(name: string, value: unknown, constants: ReadonlyMap<unknown, string>): Breakable {
  const piece = literal(value, constants)
  if (!(name in Object.prototype) || name === '__proto__' || constants.has(value)) return piece
  return { flat: `${piece.flat} as const`, broken: indentation => `${piece.broken(indentation)} as const` }
}
