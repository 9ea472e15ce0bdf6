import type { Property } from '../../../spec/language/index.js'
import type { TestResponse } from '../../http/message.js'
import { isJson, type Json } from '../../json.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import type { Session } from '../../session/session.js'
import { type Body, markedText, newValue, nextNumber, requiredProperties, writableProperties } from './body.js'
import type { WriteSite } from './write-site.js'
import { removeItem } from './write-site.js'

// The interface need not say what a create requires or which values it takes. A refusal is a clue: the suite tries smaller,
// larger and other bodies until one is accepted, and learns which values were the reason.

/** The properties of a body, each with where its value comes from. */
type Draft = ReadonlyMap<string, 'new' | 'existing'>

/** What the bodies of an endpoint have in common. */
interface Pattern {
  /** Properties whose values differ for each item: the mark and what must be unique. */
  readonly differing: readonly string[]
  /** Values that were accepted. Not every combination is, so they stay. */
  readonly values: Body
}

/** What a run has learned about the bodies of a create endpoint, for one type of items. */
interface AcceptedBodies {
  /** What was accepted; absent if nothing was. */
  pattern?: Promise<Pattern | undefined>
  /** Values that were refused, as method, name and JSON. */
  readonly refused: Set<string>
  /** How often values of a property were refused, by method and name. */
  readonly refusals: Map<string, number>
}

const acceptedInRuns = new WeakMap<object, Map<string, AcceptedBodies>>()

function acceptedBodiesOf({ endpoint, type }: WriteSite, { run }: Session): AcceptedBodies {
  const known = acceptedInRuns.get(run) ?? new Map<string, AcceptedBodies>()
  acceptedInRuns.set(run, known)
  const name = `${endpoint.name} ${type.qualifiedName}`
  const accepted = known.get(name) ?? { refused: new Set(), refusals: new Map() }
  known.set(name, accepted)
  return accepted
}

/** Whether the service refused a body, rather than the caller or its pace. */
export function isRefusal({ status, transportError }: TestResponse): boolean {
  if (transportError !== undefined || [401, 403, 408, 425, 429].includes(status)) return false
  return (status >= 400 && status < 500) || status === 501
}

/**
 * A body that the service accepts, with a new mark and new unique values. Undefined if it refuses all that the suite
 * tries, or no more items may be created.
 *
 * @param values in addition; the values of the mark property follow the mark
 */
export async function newBody(values: Body, site: WriteSite, session: Session): Promise<Body | undefined> {
  const accepted = acceptedBodiesOf(site, session)
  accepted.pattern ??= learnPattern(site, session, path => removeItem(path, session))
  const pattern = await accepted.pattern
  if (pattern === undefined) return undefined
  const number = nextNumber(session)
  const body: Record<string, Json> = { ...pattern.values }
  for (const property of site.type.properties) {
    if (!pattern.differing.includes(property.name)) continue
    const value = newValue(property, number, site, session)
    if (value === undefined) return undefined
    body[property.name] = value
  }
  const mark = site.markProperty?.name ?? ''
  const hasMark = Object.hasOwn(body, mark)
  return {
    ...typeNameOf(site),
    ...body,
    ...values,
    ...(hasMark ? { [mark]: markedText(site, values[mark], number) } : {}),
  }
}

/**
 * Learns which bodies the service accepts, if that is not known yet.
 *
 * @param use what to do with the first item that was created. It deletes the item. Not called if bodies are known.
 */
export async function learnBodies(
  site: WriteSite,
  session: Session,
  use: (path: string, response: TestResponse) => Promise<unknown>,
): Promise<void> {
  const accepted = acceptedBodiesOf(site, session)
  accepted.pattern ??= learnPattern(site, session, use)
  await accepted.pattern
}

/** The type of an item in its body. It says nothing about items of the declared type. */
export function typeNameOf({ type, declaredType }: WriteSite): Body {
  return type === declaredType ? {} : { '@odata.type': `#${type.qualifiedName}` }
}

function bodyFrom(draft: Draft, site: WriteSite, session: Session): Body | undefined {
  const number = nextNumber(session)
  const body: Record<string, Json> = {}
  const declared = new Map(site.type.properties.map(property => [property.name, property]))
  for (const [name, from] of draft) {
    const property = declared.get(name)
    const isNew = from === 'new' && property !== undefined
    const value = isNew ? newValue(property, number, site, session) : existingValue(name, number, site)
    if (value === undefined) return undefined
    body[name] = value
  }
  return body
}

function existingValue(name: string, number: number, { examples: { rows } }: WriteSite): Json | undefined {
  const values = rows.map(row => row[name]).filter(value => value !== null && value !== undefined)
  const value = values[number % Math.max(values.length, 1)]
  return isJson(value) ? value : undefined
}

/** Maximum number of bodies to try until one is accepted. */
const maxTries = 30

/** Tries bodies until the service accepts one. Those that an error message suggests come first. */
async function learnPattern(
  site: WriteSite,
  session: Session,
  use: (path: string, response: TestResponse) => Promise<unknown>,
): Promise<Pattern | undefined> {
  const { ledger } = session
  const first = draftOf(requiredProperties(site), site)
  const queue: Draft[] = [first]
  const usual = usualDrafts(first, site)
  const tried = new Set<string>()
  while (tried.size < maxTries && ledger?.mayCreate(site) === true) {
    const draft = queue.shift() ?? usual.next().value
    if (draft === undefined) break
    const body = bodyFrom(draft, site, session)
    if (body === undefined) continue
    const own = differingNames(site)
    const values = Object.fromEntries(Object.entries(body).filter(([each]) => !own.has(each)))
    const differing = Object.keys(body).filter(each => own.has(each))
    const name = JSON.stringify([differing, values])
    if (tried.has(name)) continue
    tried.add(name)
    const { response, path } = await ledger.create(site, { ...typeNameOf(site), ...body })
    if (!isRefusal(response)) {
      if (path !== undefined) await use(path, response)
      return { differing, values }
    }
    queue.unshift(...suggestedDrafts(draft, response, site))
  }
  return undefined
}

function draftOf(properties: readonly Property[], { markProperty }: WriteSite): Draft {
  return new Map(
    [...(markProperty === undefined ? [] : [markProperty]), ...properties].map(({ name }) => [name, 'new']),
  )
}

/** What an error message suggests: to add the properties that it names, or to leave them out. */
function suggestedDrafts(draft: Draft, { text }: TestResponse, site: WriteSite): readonly Draft[] {
  const named = knownNames(site).filter(name => new RegExp(`(?<![\\w@.])${escaped(name)}(?!\\w)`).test(text))
  const added = named.filter(name => !draft.has(name))
  const drafts: Draft[] = []
  if (added.length > 0) drafts.push(new Map([...draft, ...added.map(name => [name, 'new'] as const)]))
  for (const name of named.filter(each => draft.has(each)))
    drafts.push(withExisting(draft, [name], site), without(draft, name))
  return drafts
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The properties that a client may set, and those that the interface does not know but items have. */
function knownNames(site: WriteSite): readonly string[] {
  const { type, examples } = site
  const declared = new Map(type.properties.map(property => [property.name, property]))
  const relations = new Set(type.navigation.map(({ name }) => name))
  const shown = examples.rows
    .flatMap(row => Object.keys(row))
    .filter(name => !name.includes('@') && !relations.has(name))
  return [...new Set([...declared.keys(), ...shown])].filter(name => declared.get(name)?.computed !== true)
}

/** Drafts in the order in which they are likely to be accepted. */
function* usualDrafts(first: Draft, site: WriteSite): Generator<Draft, undefined> {
  const { type, examples } = site
  const open = type.properties.filter(({ computed }) => !computed)
  const full = new Map([...first, ...draftOf(writableProperties(site), site)])
  const more = new Map([
    ...full,
    ...draftOf(
      open.filter(each => isAssumed(each) && each.required),
      site,
    ),
  ])
  const isUsual = (name: string): boolean =>
    examples.rows.length > 0 && examples.rows.every(row => row[name] !== null && row[name] !== undefined)
  yield full
  // The same with the truth values of other items.
  yield first
  yield first
  yield withExisting(first, [...first.keys()], site)
  yield withExisting(full, [...full.keys()], site)
  yield more
  const usual = open.filter(({ name }) => isUsual(name))
  yield new Map([...more, ...draftOf(usual, site)])
  yield new Map([
    ...more,
    ...draftOf(
      open.filter(({ name }) => examples.rows.some(row => row[name] !== null && row[name] !== undefined)),
      site,
    ),
  ])
  const all = knownNames(site).filter(isUsual)
  yield withExisting(new Map([...more, ...all.map(name => [name, 'existing'] as const)]), all, site)
  for (const name of first.keys()) yield without(first, name)
  for (const name of full.keys()) yield without(full, name)
  yield new Map()
  return undefined
}

/** The draft with values of existing items, where they need not differ. */
function withExisting(draft: Draft, names: readonly string[], site: WriteSite): Draft {
  const own = differingNames(site)
  return new Map(
    [...draft].map(([name, from]) => {
      const isCopied = names.includes(name) && !own.has(name) && existingValue(name, 0, site) !== undefined
      return [name, isCopied ? 'existing' : from]
    }),
  )
}

/** The properties of which no two items should have the same value. */
function differingNames({ type, markProperty }: WriteSite): ReadonlySet<string> {
  const names = type.properties
    .filter(property => property.unique || type.key.includes(property))
    .map(({ name }) => name)
  return new Set([...(markProperty === undefined ? [] : [markProperty.name]), ...names])
}

function without(draft: Draft, name: string): Draft {
  return new Map([...draft].filter(([each]) => each !== name))
}

/** After so many refused values of a property, it is left out. */
const maxRefusals = 6

/** The values that were not refused before. */
export function untriedOrAccepted(method: string, values: Body, site: WriteSite, session: Session): Body {
  const { refused, refusals } = acceptedBodiesOf(site, session)
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const isHopeless = (refusals.get(`${method} ${name}`) ?? 0) >= maxRefusals
      return !isHopeless && !refused.has(`${method} ${name} ${JSON.stringify(value)}`)
    }),
  )
}

/**
 * Finds out which of several values the service refuses, by halves, and remembers them.
 *
 * @param values refused as a whole
 * @param accepts tries some of the values
 * @returns the others
 */
export async function acceptedPart(
  method: string,
  values: Body,
  site: WriteSite,
  session: Session,
  accepts: (part: Body) => Promise<boolean>,
): Promise<Body> {
  const entries = Object.entries(values)
  const [only] = entries
  if (only === undefined) return {}
  if (entries.length === 1) {
    const [name, value] = only
    const { refused, refusals } = acceptedBodiesOf(site, session)
    refused.add(`${method} ${name} ${JSON.stringify(value)}`)
    refusals.set(`${method} ${name}`, (refusals.get(`${method} ${name}`) ?? 0) + 1)
    return {}
  }
  const middle = Math.ceil(entries.length / 2)
  const found: Body[] = []
  for (const half of [entries.slice(0, middle), entries.slice(middle)]) {
    const part = Object.fromEntries(half)
    found.push((await accepts(part)) ? part : await acceptedPart(method, part, site, session, accepts))
  }
  return Object.assign({}, ...found)
}
