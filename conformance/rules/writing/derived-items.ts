import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import { isSamePath } from '../../../spec/language/index.js'
import type { Site } from '../../discover/site.js'
import { isKindOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { renderedProperties } from '../../lists/values.js'
import { binary, call, not } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { literalOf } from '../../probes/observed-values.js'
import type { ActiveRule, TestStep } from '../../rule/rule.js'
import type { Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { fullBody, partialBody, partOfType } from './body.js'
import { type CreatedItem, createItem, eventually } from './created-item.js'
import { equalTo, isSmall, listingVerdict, readList, wholeListOptions } from './listing.js'
import { derivedSequenceRule } from './sequence-rule.js'
import {
  cannotWrite,
  listOf,
  otherTypes,
  removeItem,
  type WriteSite,
  writeSite,
  writeSiteOf,
  writeSites,
} from './write-site.js'

/** @see OData 4.01 JSON Format, 4.6.3 */
export const derivedCreate = derivedSequenceRule({
  id: 'derived-create',
  statement:
    'A create stores an item of the derived type that `@odata.type` in its body names, with all values of that type.',
  advice:
    'Read @odata.type before the rest of the body, and create an item of that type. If you cannot store all values, refuse the request.',
  aspects: ['create.item', 'item.type'],
  covers: ['endpoint.create'],
  cost: 3,
  weight: 8,
  planned: site =>
    [1, 2].map((number): readonly TestStep[] => [
      { action: 'create', body: fullBody(site, number) },
      { action: 'read' },
    ]),
})

export const derivedUpdate = derivedSequenceRule({
  id: 'derived-update',
  statement:
    'An update of an item of a derived type keeps its type. PATCH leaves all omitted values unchanged, those of the derived type, too.',
  advice:
    'Use the type of the stored item, not the declared one, to read the body, to merge it, and to return the item.',
  aspects: ['update.merge', 'update.replace', 'item.type'],
  covers: ['endpoint.update', 'endpoint.replace'],
  cost: 4,
  weight: 6,
  sites: session =>
    writeSites(session).filter(({ update, replacement }) => update !== undefined || replacement !== undefined),
  planned: site => {
    const updates = (['base', 'own'] as const)
      .map(part => partOfType(site, part, 12))
      .filter(body => Object.keys(body).length > 0 && site.update !== undefined)
    const replacement: TestStep = { action: 'replace', body: partialBody(site, 1) }
    const steps = [
      ...updates.map((body): TestStep => ({ action: 'patch', body })),
      ...(site.replacement === undefined ? [] : [replacement]),
    ]
    // All in one item first: each response shows a fault with few requests.
    return [steps, ...steps.map(step => [step])].map((some): readonly TestStep[] => [
      { action: 'create', body: fullBody(site, 1) },
      ...some,
      { action: 'read' },
    ])
  },
})

/** Where an item of a derived type must show, or must not. */
interface View {
  readonly name: string
  readonly list: Site
  readonly options: QueryOptions
  readonly isExpected: boolean
}

export const derivedShows: ActiveRule = {
  kind: 'active',
  id: 'derived-shows',
  area: 'writing',
  statement:
    'An item of a derived type is in the list of the declared type, with all its values, and in the paths and filters of its own type, but not in those of other types.',
  advice:
    'A list of a base type is a list of all types that derive from it. If each type has a table of its own, read all of them.',
  aspects: ['collection.read', 'item.type'],
  covers: ['endpoint.collection', 'endpoint.create', 'filter.isof'],
  severity: 'must',
  writes: true,
  cost: 4,
  weight: 6,
  sites: session =>
    writeSites(session).filter(site => otherTypes(site, session).length > 0 && listOf(site, session) !== undefined),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const types = writable === undefined ? [] : otherTypes(writable, session).slice(0, maxTypes)
    return { planned: types.map(({ qualifiedName }) => ({ variant: qualifiedName })) }
  },
  check: async ({ variant }, site, session) => {
    const writable = writeSite(site, session)
    const list = listOf(site, session)
    const type = writable && otherTypes(writable, session).find(({ qualifiedName }) => qualifiedName === variant)
    if (writable === undefined || list === undefined || type === undefined) {
      return { kind: 'inconclusive', why: cannotWrite }
    }
    const typed = writeSiteOf(type, writable)
    const outcome = await createItem(fullBody(typed, 2), typed, session)
    if (outcome.kind === 'ended') return outcome.verdict
    const { item } = outcome
    try {
      let isSeen = false
      for (const view of viewsOf(item, typed, list, session)) {
        const verdict = await viewVerdict(item, view, typed, session)
        if (verdict?.kind === 'fail') return verdict
        isSeen ||= verdict === undefined
      }
      return { kind: 'pass', vacuous: !isSeen }
    } finally {
      await removeItem(item.path, session)
    }
  },
}

/** More derived types have no cases of their own. */
const maxTypes = 8

/** The list, the lists of types, and filters by type; each narrowed to the item if the collection is large. */
function viewsOf(item: CreatedItem, site: WriteSite, list: Site, session: Session): readonly View[] {
  const { type, markProperty } = site
  const text = markProperty === undefined ? undefined : item.expected[markProperty.name]
  const itself = markProperty === undefined || typeof text !== 'string' ? undefined : equalTo(markProperty.name, text)
  const narrowed = (at: Site): QueryOptions | undefined => {
    const mayFilter =
      'query' in at.endpoint && at.endpoint.query !== undefined && at.endpoint.query.filter.support !== 'none'
    if (isSmall(site)) return wholeListOptions(at, site)
    return mayFilter && itself !== undefined ? { filter: itself } : undefined
  }
  const views: View[] = []
  const add = (name: string, at: Site, isExpected: boolean, options = narrowed(at)): void => {
    if (options !== undefined) views.push({ name, list: at, options, isExpected })
  }
  add('list', list, true)
  for (const each of session.sites) {
    const last = each.endpoint.resolved.at(-1)
    if (each.endpoint.kind !== 'collection' || last?.kind !== 'cast' || last.type.kind !== 'entityType') continue
    const isBelow = isSamePath(each.endpoint.resolved.slice(0, -1), list.endpoint.resolved)
    if (isBelow && each.path.startsWith(`${list.path}/`)) add('cast', each, isKindOf(type, last.type))
  }
  if (grammarOf(list, session)?.has('isof') === true && itself !== undefined) {
    const named = call('isof', { kind: 'type', name: type.qualifiedName, collection: false })
    add('isof', list, true, { filter: binary('and', itself, named) })
    add('isof', list, false, { filter: binary('and', itself, not(named)) })
  }
  const filter = castFilter(item, site, session)
  if (grammarOf(list, session) !== undefined && filter !== undefined) add('filter', list, true, { filter })
  return views
}

/** Types whose values every service stores and compares exactly. */
const exactTypes: ReadonlySet<string> = new Set([
  'String',
  'Boolean',
  'Byte',
  'Int16',
  'Int32',
  'Int64',
  'Guid',
  'Date',
])

/** A filter by a value that only the type of the item has, through a cast. */
function castFilter({ expected }: CreatedItem, site: WriteSite, session: Session): Expression | undefined {
  const base = new Set(site.declaredType.properties)
  const rendered = renderedProperties(session.service)
  for (const property of site.type.properties) {
    const { name, type, collection } = property
    if (base.has(property) || rendered.has(name) || isAssumed(property)) continue
    const isExact = !collection && type.kind === 'primitive' && exactTypes.has(type.name)
    const literal = isExact ? literalOf(`Edm.${type.name}`, expected[name], session) : undefined
    if (literal === undefined) continue
    const segments = [
      { kind: 'cast', type: site.type.qualifiedName },
      { kind: 'property', name },
    ] as const
    return binary('eq', { kind: 'path', segments }, literal)
  }
  return undefined
}

/** The verdict on a view. Undefined if it is right. */
async function viewVerdict(
  item: CreatedItem,
  { name, list, options, isExpected }: View,
  site: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  let verdict: Verdict | undefined
  await eventually(async () => {
    const listing = await readList(list, options, session)
    const features = [`derived.${name}`, isExpected ? 'missing' : 'surplus']
    verdict = listingVerdict(listing, item, isExpected, features, site, session)
    return verdict?.kind === 'fail' ? verdict : undefined
  }, session)
  return verdict
}
