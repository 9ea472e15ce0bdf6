import type { Service } from '../../../spec/language/index.js'
import type { Json } from '../service/json.js'
import { matchPath } from '../service/routing.js'
import { cloneStore, createEntity, type Entity, type Store } from '../service/store.js'
import { removeEntity } from '../service/writes.js'
import type { Handler, Variant } from './variant.js'

/** Services that are busy, slow, eventually consistent, or used by other clients. */
export const disturbanceVariants: readonly Variant[] = [
  {
    name: 'awkward-keys',
    choices: [],
    statement: 'Identifiers have characters that URLs and literals encode.',
    data: { awkwardKeys: true },
  },
  { name: 'few-rows', choices: [], statement: 'Collections are small.', group: 'rows', data: { rows: 6 } },
  {
    name: 'many-rows',
    choices: [],
    statement: 'Collections have more rows than a page.',
    group: 'rows',
    data: { rows: 130 },
  },
  {
    name: 'throttled',
    choices: [],
    statement: 'Every ninth request gets 429 with Retry-After: 0.',
    group: 'throttled',
    wrap: answer => throttled(answer, 9, 429),
  },
  {
    name: 'unavailable-at-times',
    choices: [],
    statement: 'Every thirtieth request gets 503 with Retry-After: 0.',
    group: 'throttled',
    wrap: answer => throttled(answer, 30, 503),
  },
  {
    name: 'slow-at-times',
    choices: [],
    statement: 'Some responses are slow.',
    wrap: (answer, random) => async request => {
      if (random() < 0.02) await new Promise(resolve => setTimeout(resolve, 20))
      return answer(request)
    },
  },
  {
    name: 'foreign-writes',
    choices: [],
    statement: 'Another client changes, creates or deletes a row before every fiftieth request.',
    group: 'foreign',
    beforeRequest: (_service, random) => (store, number) => {
      if (number % 50 === 0) disturb(store, random)
    },
  },
  {
    name: 'rare-foreign-writes',
    choices: [],
    statement: 'Another client changes, creates or deletes a row before every two hundredth request.',
    group: 'foreign',
    beforeRequest: (_service, random) => (store, number) => {
      if (number % 200 === 0) disturb(store, random)
    },
  },
  {
    name: 'lists-lag',
    choices: ['readYourWrites'],
    statement: 'Lists and counts show writes with a delay.',
    storeFor: service => laggingReads(service, 25),
  },
]

function throttled(answer: Handler, every: number, status: number): Handler {
  let number = 0
  return async request => {
    number++
    if (number % every !== 0) return answer(request)
    const error = { code: 'TooManyRequests', message: 'Please retry again later.' }
    return Response.json({ error }, { status, headers: { 'Retry-After': '0' } })
  }
}

/** A write by another client: usually an update, sometimes a create or a delete. */
function disturb(store: Store, random: () => number): void {
  const rows = [...store.entities].filter(row => row !== store.principal && !String(keyOf(row)).startsWith('made'))
  const row = rows[Math.floor(random() * rows.length)]
  if (row === undefined) return
  store.revision++
  const choice = random()
  if (choice < 0.6) change(row, store, random)
  else if (choice < 0.8) duplicate(row, store)
  else if (!isReferenced(row)) removeEntity(row, store)
}

function keyOf(row: Entity): Json {
  return row.values[row.type.key[0]?.name ?? ''] ?? null
}

/** Whether required relations refer to it, so that it cannot be deleted. */
function isReferenced({ type, owner }: Entity): boolean {
  const isSingle = owner !== undefined && !owner.relation.collection
  return isSingle || type.navigation.some(({ partner }) => (partner?.constraint.length ?? 0) > 0)
}

function change(row: Entity, store: Store, random: () => number): void {
  const texts = row.type.properties.filter(
    ({ name, type, nullable, unique, pattern, createOnly }) =>
      type.kind === 'primitive' &&
      type.name === 'String' &&
      nullable &&
      !unique &&
      pattern === undefined &&
      !createOnly &&
      typeof row.values[name] === 'string' &&
      !row.type.navigation.some(({ constraint }) => constraint.some(pair => pair.dependent === name)),
  )
  const property = texts[Math.floor(random() * texts.length)]
  if (property === undefined || property.collection) return
  row.values = { ...row.values, [property.name]: random() < 0.3 ? null : `Omega ${Math.floor(random() * 9)}` }
  row.version++
  row.changedAt = store.revision
}

function duplicate(row: Entity, store: Store): void {
  const [key, ...others] = row.type.key
  const isFree =
    key?.type.kind === 'primitive' && key.type.name === 'String' && key.pattern === undefined && key.computed
  if (key === undefined || !isFree || others.length > 0 || row.type.properties.some(({ unique }) => unique)) return
  const entity = createEntity(row.type, { ...row.values, [key.name]: `foreign-${store.revision}` }, row.owner)
  entity.changedAt = store.revision
  store.entities.add(entity)
  for (const [name, rows] of store.sets) if (rows.includes(row)) store.sets.set(name, [...rows, entity])
  const siblings = row.owner?.entity.related.get(row.owner.relation.name)
  if (row.owner?.relation.collection && siblings !== undefined) {
    row.owner.entity.related.set(row.owner.relation.name, [...siblings, entity])
  }
}

/** Lists and counts read the store as it was before the most recent writes. */
function laggingReads(service: Service, milliseconds: number): (store: Store, request: Request) => Store {
  const past: { readonly world: Store; readonly until: number }[] = []
  return (store, request) => {
    const now = performance.now()
    while (past[0] !== undefined && past[0].until <= now) past.shift()
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      past.push({ world: cloneStore(store), until: now + milliseconds })
      return store
    }
    const path = new URL(request.url).pathname.split(`/${service.version}`)[1] ?? ''
    const kind = matchPath(service, path)?.endpoints.find(({ method }) => method === 'GET')?.kind
    return kind === 'collection' || kind === 'count' ? (past[0]?.world ?? store) : store
  }
}
