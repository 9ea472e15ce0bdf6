import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { Said } from '../annotations/annotation-index.js'
import { memberOf, recordsOf, textOf } from '../annotations/value.js'

type Tree = Readonly<Record<string, unknown>>

/** Why an element is so, and the section that leaves it out: that of the element itself. */
interface Assumed {
  readonly ref?: string
  readonly assumed: string
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Puts each assumption of an exported document back to the element that makes it. */
export function withAssumptions(document: object, said: Said): object {
  const assumptions = new Map<string, Assumed>()
  for (const assumption of recordsOf(said('Specwright.Assumptions'))) {
    const [element, why] = [textOf(memberOf(assumption, 'Element')), textOf(memberOf(assumption, 'Why'))]
    const ref = textOf(memberOf(assumption, 'Ref'))
    const pointer = element === undefined ? undefined : pointerOf(document, element, '')
    if (pointer === undefined || why === undefined) continue
    assumptions.set(pointer, { ...(ref === undefined ? {} : { ref }), assumed: why })
  }
  return assumptions.size === 0 ? document : rebuiltTree(document, '', assumptions)
}

/**
 * The JSON Pointer of an element that is told by keys joined by slashes: some keys hold slashes themselves, or have lost the
 * one that they began with. A query option may be missing: what is `none` is not written.
 */
function pointerOf(part: unknown, path: string, pointer: string): string | undefined {
  if (path === '') return pointer
  if (Array.isArray(part)) {
    const [index = '', ...rest] = path.split('/')
    return pointerOf(part[Number(index)], rest.join('/'), pointerTo(pointer, index))
  }
  if (!isTree(part)) return undefined
  for (const key of Object.keys(part)) {
    const written = key.replace(/^\//, '')
    if (path !== written && !path.startsWith(`${written}/`)) continue
    const found = pointerOf(part[key], path.slice(written.length + 1), pointerTo(pointer, key))
    if (found !== undefined) return found
  }
  return unwritten.includes(path) ? pointerTo(pointer, path) : undefined
}

/** A copy in which some elements say why they are so. */
function rebuilt(part: unknown, pointer: string, assumptions: ReadonlyMap<string, Assumed>): unknown {
  if (Array.isArray(part)) return part.map((item, index) => rebuilt(item, pointerTo(pointer, index), assumptions))
  if (isTree(part)) return rebuiltTree(part, pointer, assumptions)
  const assumed = assumptions.get(pointer)
  if (assumed === undefined) return part
  // A member of an enumeration that is but a number, and a query option that is but a word.
  return typeof part === 'number' ? { value: part, ...assumed } : { support: part ?? 'none', ...assumed }
}

function rebuiltTree(part: object, pointer: string, assumptions: ReadonlyMap<string, Assumed>): object {
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(part)) copy[key] = rebuilt(value, pointerTo(pointer, key), assumptions)
  for (const option of unwritten) {
    const at = pointerTo(pointer, option)
    if (assumptions.has(at) && !Object.hasOwn(copy, option)) copy[option] = rebuilt(undefined, at, assumptions)
  }
  return Object.assign(copy, assumptions.get(pointer))
}

/** Query options that are left out where they are `none`. */
const unwritten = ['filter', 'orderby', 'expand', 'top', 'search']
