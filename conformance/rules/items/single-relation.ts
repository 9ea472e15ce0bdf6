import { isSamePath } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { keyOf, onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestRequest } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { querySite } from '../../lists/related-items.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

export const singleRelation: ActiveRule = {
  kind: 'active',
  id: 'single-relation',
  area: 'items',
  statement:
    'The path of a single-valued relation returns the related item, or the same response everywhere if there is none.',
  advice:
    'The response for an empty relation is a choice of the service: 404, 204 or null. It must be the same everywhere.',
  aspects: ['relation.path'],
  covers: ['open.absentRelation', 'endpoint.item'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 5,
  sites: ({ sites }) => onePerEndpoint(sites).filter(isSingleRelation),
  cases: (site, session) => ({
    planned: [{ variant: 'read' }, ...(expanding(site, session) === undefined ? [] : [{ variant: 'expanded' }])],
  }),
  check: async ({ variant }, site, session) => {
    if (variant === 'expanded') return checkExpanded(site, session)
    const response = await session.send({ method: 'GET', path: site.path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { json } = response
    const wrong = isRow(json) && json['value'] === undefined ? otherTarget(json, site, session) : undefined
    if (wrong !== undefined) {
      return failure({
        message: 'A single-valued relation leads to another item than its foreign key.',
        expected: wrong.expected,
        received: describeResponse(response),
        answers: [response],
        features: ['relation.target'],
      })
    }
    if (response.status === 200 && isRow(json) && json['value'] !== null) return { kind: 'pass' }
    const shown = absenceShown(response.status, response.json)
    const declared = 'absent' in site.endpoint ? site.endpoint.absent : 404
    const open = permittedValues(session, 'absentRelation', String(declared))
    const rejected = shown === '404' ? errorFinding(response, session.service.faults.itemNotFound, session) : undefined
    if (shown !== undefined && open.includes(shown) && rejected === undefined) return { kind: 'pass' }
    return failure(
      rejected ?? {
        message: 'The response for a single-valued relation is neither an item nor a permitted response for none.',
        expected: `the item, or ${legalAbsences(session).join(' or ')}`,
        received: describeResponse(response),
        answers: [response],
        features: ['relation.absent'],
      },
    )
  },
}

/** The item that the relation leads from, and the request that expands the relation; absent if it cannot be expanded. */
function expanding({ endpoint, path }: Site, session: Session): TestRequest | undefined {
  const last = endpoint.resolved.at(-1)
  if (last?.kind !== 'navigation') return undefined
  const { name } = last.property
  const owner = session.sites.find(each => each.endpoint.kind === 'item' && path === `${each.path}/${name}`)
  const found = owner === undefined ? undefined : querySite(owner)
  if (owner === undefined || found === undefined) return undefined
  const { support, relations } = found.endpoint.query.expand
  if (support === 'none' || !Object.hasOwn(relations, name) || relations[name] === 'none') return undefined
  return readRequest(owner, { expand: [{ path: [name] }] })
}

/** Compares the path of a relation with the relation in the expanded item. */
async function checkExpanded(site: Site, session: Session): Promise<Verdict> {
  const request = expanding(site, session)
  const last = site.endpoint.resolved.at(-1)
  if (request === undefined || last?.kind !== 'navigation') return { kind: 'pass', vacuous: true }
  const [alone, owner] = [await session.send({ method: 'GET', path: site.path }), await session.send(request)]
  if (owner.status !== 200 || !isRow(owner.json)) return { kind: 'pass', vacuous: true }
  const { name, type } = last.property
  const expanded = owner.json[name]
  const key = isRow(expanded) ? keyOf(expanded, type) : undefined
  const shown = alone.status === 200 && isRow(alone.json) ? keyOf(alone.json, type) : undefined
  const isNone = expanded === undefined || expanded === null
  if (shown !== undefined && isNone) {
    return failure({
      message: `The path of a single-valued relation leads to an item, but $expand=${name} shows none.`,
      expected: `${name}: the item ${shown}`,
      received: expanded === null ? `${name}: null` : `no ${name}`,
      answers: [alone, owner],
      features: ['relation.target', 'expand'],
    })
  }
  // A 404 can also mean that the service does not have the path.
  const absence = absenceShown(alone.status, alone.json)
  if (key !== undefined && (absence === '204' || absence === 'null')) {
    return failure({
      message: `$expand=${name} shows an item, but the path of the single-valued relation leads to none.`,
      expected: `the item ${key}`,
      received: describeResponse(alone),
      answers: [alone, owner],
      features: ['relation.target', 'absent'],
    })
  }
  if (key === undefined || shown === undefined) return { kind: 'pass', vacuous: true }
  if (key === shown) return { kind: 'pass' }
  return failure({
    message: 'The path of a single-valued relation leads to another item than $expand of the relation.',
    expected: `the item ${key}, as $expand=${name} shows`,
    received: `the item ${shown}`,
    answers: [alone, owner],
    features: ['relation.target'],
  })
}

/** The expected target of a relation with a referential constraint. Many services leave that of a contained item empty. */
function otherTarget(target: Row, { endpoint, keys }: Site, session: Session): { expected: string } | undefined {
  const last = endpoint.resolved.at(-1)
  const key = endpoint.resolved.at(-2)
  if (last?.kind !== 'navigation' || key?.kind !== 'key' || last.property.constraint.length === 0) return undefined
  if (last.property.contained) return undefined
  const set = session.sites.find(each => {
    return each.endpoint.kind === 'collection' && isSamePath(each.endpoint.resolved, endpoint.resolved.slice(0, -2))
  })
  const text = key.variables.map(variable => keys[variable] ?? '').join('\u001F')
  const row = set === undefined ? undefined : session.snapshot(set)?.byKey.get(text)
  for (const { dependent, principal } of row === undefined ? [] : last.property.constraint) {
    const foreignKey = row?.[dependent]
    const shown = target[principal]
    if (foreignKey === undefined || shown === undefined || String(foreignKey) === String(shown)) continue
    return { expected: `${principal} ${JSON.stringify(foreignKey)}, as ${dependent} says` }
  }
  return undefined
}

/** Whether a path ends in a single-valued relation. */
export function isSingleRelation({ endpoint }: Site): boolean {
  const last = endpoint.resolved.at(-1)
  return endpoint.kind === 'item' && last?.kind === 'navigation' && !last.property.collection
}

/** How a response represents an empty relation. */
export function absenceShown(status: number, json: unknown): '404' | '204' | 'null' | undefined {
  if (status === 404) return '404'
  if (status === 204) return '204'
  if (status !== 200) return undefined
  return json === null || (isRow(json) && json['value'] === null) ? 'null' : undefined
}

function legalAbsences({ service, choices }: Session): readonly string[] {
  const learned = choices.get('absentRelation')
  const legal = service.open.find(({ name }) => name === 'absentRelation')?.legal ?? [404, 204]
  return learned === undefined ? legal.map(String) : [String(learned)]
}
