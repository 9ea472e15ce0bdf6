import type { NavigationProperty, Property } from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../rule/primitive-of.js'
import type { Session } from '../../session/session.js'
import { propertyValue } from './property-value.js'
import type { WriteSite } from './write-sites.js'

export type Body = Readonly<Record<string, Json>>

const counts = new WeakMap<Pick<Session, 'service'>, number>()

/** Counts what a run makes up, so that nothing that must be unique comes twice. */
export function nextNumber(session: Session): number {
  const number = (counts.get(session) ?? 0) + 1
  counts.set(session, number)
  return number
}

/**
 * A body that a create takes: what is wanted, the mark of the run, and what else there must be. Absent when a value that
 * must be there cannot be made up.
 */
export function newBody(site: WriteSite, wanted: Body, session: Session): Body | undefined {
  const number = nextNumber(session)
  const body: Record<string, Json> = { ...wanted }
  body[site.marked.name] = markText(site, wanted[site.marked.name], number, session)
  const references = referredValues(site, session)
  for (const property of site.type.properties) {
    if (property.computed) continue
    const { name, unique, required } = property
    const isFresh = unique || site.type.key.includes(property)
    if (!isFresh && (!required || Object.hasOwn(body, name))) continue
    if (isFresh && !required && !Object.hasOwn(body, name)) continue
    const value = references.get(name) ?? (isFresh ? freshValue(property, number) : propertyValue(property, number))
    if (value === undefined) return undefined
    body[name] = value
  }
  return body
}

/** Numbers that no service has given yet, one would think; and they fit into the smallest types but one. */
const firstNumber = 20_000

/** A value that is not there yet. */
function freshValue(property: Property, number: number): Json | undefined {
  const primitive = primitiveOf(property.type)
  const isNumber = primitive === 'Int16' || primitive === 'Int32' || primitive === 'Int64'
  return isNumber ? firstNumber + number : propertyValue(property, number * 7919)
}

/** The mark, and what the test wants to see behind it. */
function markText({ marked }: WriteSite, wanted: Json | undefined, number: number, { ledger }: Session): string {
  const text = `${ledger?.mark ?? ''} ${number}${typeof wanted === 'string' ? ` ${wanted}` : ''}`
  return [...text].slice(0, Math.floor((marked.maxLength ?? 400) / 2)).join('')
}

/** Values of properties that say which other item one belongs to: of an item that is there. */
function referredValues({ type }: WriteSite, session: Session): ReadonlyMap<string, Json> {
  const values = new Map<string, Json>()
  for (const navigation of type.navigation) {
    for (const [name, value] of targetValues(navigation, type.properties, session)) values.set(name, value)
  }
  return values
}

function targetValues(
  { constraint, type }: NavigationProperty,
  properties: readonly Property[],
  { sites, snapshot }: Session,
): readonly (readonly [string, Json])[] {
  if (!constraint.some(({ dependent }) => properties.some(({ name, required }) => name === dependent && required))) {
    return []
  }
  const set = sites.find(({ endpoint, type: of }) => endpoint.kind === 'collection' && of === type)
  const row = set === undefined ? undefined : snapshot(set)?.rows[0]
  return constraint.flatMap(({ dependent, principal }) => {
    const value = row?.[principal]
    return typeof value === 'string' || typeof value === 'number' ? [[dependent, value] as const] : []
  })
}
