import { derivesFrom, type EntityType, type Property } from '../../../spec/language/index.js'

import { isRow, type Json } from '../../json.js'
import { isSameValue } from '../../lists/values.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type CreatedItem, createItem } from './created-item.js'
import { sampleValue } from './sample-value.js'
import { cannotWrite, removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

export const typeKept: ActiveRule = {
  kind: 'active',
  id: 'type-kept',
  area: 'writing',
  statement: 'PATCH cannot change the type of an item. A property that only another type has is not dropped silently.',
  advice:
    'Compare @odata.type in the body with the type of the stored item, and validate the body against that type. Return 400 if they differ.',
  aspects: ['update.merge'],
  covers: ['endpoint.update'],
  severity: 'should',
  writes: true,
  cost: 4,
  weight: 2,
  sites: session => writeSites(session).filter(site => derivedProperties(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const found = writable === undefined ? [] : derivedProperties(writable, session)
    return { planned: found.map(({ type, property }) => ({ variant: type.qualifiedName, name: property.name })) }
  },
  check: async ({ variant = '', name = '' }, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const derived = derivedProperties(writable, session).find(
      each => each.type.qualifiedName === variant && each.property.name === name,
    )
    const value = derived === undefined ? undefined : sampleValue(derived.property, 1, writable)
    if (derived === undefined || value === undefined) return { kind: 'inconclusive', why: `no value for ${name}` }
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    try {
      return await patchAs(derived, value, outcome.item, writable, session)
    } finally {
      await removeItem(outcome.item.path, session)
    }
  },
}

interface DerivedProperty {
  readonly type: EntityType
  readonly property: Property
}

/** For each type derived from that of the site, a property that only it has. */
function derivedProperties({ endpoint, id }: WriteSite, session: Session): readonly DerivedProperty[] {
  const site = writeSites(session).find(each => each.id === id)
  if (site?.update === undefined || !('type' in endpoint)) return []
  return session.service.entityTypes.flatMap(type => {
    if (type === site.type || type.abstract || !derivesFrom(type, site.type)) return []
    const property = type.ownProperties.find(each => {
      return !each.computed && !each.createOnly && !each.collection && each.type.kind === 'primitive'
    })
    return property === undefined || sampleValue(property, 1, site) === undefined ? [] : [{ type, property }]
  })
}

async function patchAs(
  { type, property }: DerivedProperty,
  value: Json,
  { path }: CreatedItem,
  { update }: WriteSite,
  session: Session,
): Promise<Verdict> {
  const { ledger } = session
  if (ledger === undefined || !(await ledger.isOwned(path))) return { kind: 'inconclusive', why: cannotWrite }
  const tag = update?.ifMatch === 'required' ? (await session.send({ method: 'GET', path })).headers['etag'] : undefined
  const response = await session.send({
    method: 'PATCH',
    path,
    body: { '@odata.type': `#${type.qualifiedName}`, [property.name]: value },
    ...(tag === undefined ? {} : { headers: { 'if-match': tag } }),
  })
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  const isRefused = response.status >= 400 && response.status < 500
  const item = await session.send({ method: 'GET', path })
  const read = inconclusiveVerdict(item)
  if (read !== undefined) return read
  const isSet = isRow(item.json) && isSameValue(value, item.json[property.name], property)
  if (isRefused && !isSet) return { kind: 'pass' }
  const message = isRefused
    ? `A PATCH with another type was rejected, but it set ${property.name}.`
    : isSet
      ? `A PATCH changed the type of an item to ${type.qualifiedName}.`
      : `A PATCH with another type succeeded, but ${property.name} was dropped.`
  return failure({
    message,
    expected: 'status 400, and an unchanged item',
    received: `${describeResponse(response)}; then ${describeResponse(item)}`,
    answers: [response, item],
    features: ['update', 'type'],
  })
}
