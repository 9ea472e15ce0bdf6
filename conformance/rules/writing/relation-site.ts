import {
  type EntityType,
  isSamePath,
  type NavigationProperty,
  type ReadEndpoint,
} from '../../../spec/language/index.js'
import { keyOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type CreatedItem, createItem, eventually } from './created-item.js'
import { type WriteSite, writeSites } from './write-site.js'

/** A relation of the items that a site creates, whose path shows what it leads to. */
export interface RelationSite {
  readonly site: WriteSite
  readonly relation: NavigationProperty
  /** Reads the related items. */
  readonly endpoint: ReadEndpoint
  /** Creates items that the relation can lead to. */
  readonly targets: WriteSite
}

/** The relations of a site that do not contain their items, with a site that creates such items. */
export function linkSites(site: WriteSite, session: Session): readonly RelationSite[] {
  const sites = writeSites(session)
  // A relation to several items comes first: a service may follow only one of several links.
  const relations = relationsOf(site, session).toSorted(
    (a, b) => Number(b.relation.collection) - Number(a.relation.collection),
  )
  return relations.flatMap(({ relation, endpoint }) => {
    const { contained, partner } = relation
    if (
      contained ||
      partner?.contained === true ||
      !mayBeEmpty(relation) ||
      (partner !== undefined && !mayBeEmpty(partner))
    )
      return []
    if (isFixed(relation, site.type) || (partner !== undefined && isFixed(partner, relation.type))) return []
    const targets = sites.find(each => each.type === relation.type && each.endpoint.resolved.length === 1)
    return targets === undefined ? [] : [{ site, relation, endpoint, targets }]
  })
}

/** Whether an item needs no link of a relation. A link that it needs is a value of the create, and can be a part of the key. */
const mayBeEmpty = ({ collection, nullable }: NavigationProperty): boolean => collection || nullable

/** Whether a constraint ties a relation to properties that never change: a link to another item would change them. */
function isFixed({ constraint }: NavigationProperty, { key, properties }: EntityType): boolean {
  const fixed = new Set([...key, ...properties.filter(({ createOnly }) => createOnly)].map(({ name }) => name))
  return constraint.some(({ dependent }) => fixed.has(dependent))
}

/** The relations of a site that contain their items, with a site that creates such items in other items. */
export function containedSites(site: WriteSite, session: Session): readonly RelationSite[] {
  const sites = writeSites(session)
  return relationsOf(site, session).flatMap(({ relation, endpoint }) => {
    if (!relation.contained || !relation.collection) return []
    const targets = sites.find(each => isSamePath(each.endpoint.resolved, endpoint.resolved))
    return targets === undefined ? [] : [{ site, relation, endpoint, targets }]
  })
}

/** The relations of created items that have a path of their own. */
function relationsOf(
  { endpoint: { resolved } }: WriteSite,
  { service }: Session,
): readonly Pick<RelationSite, 'relation' | 'endpoint'>[] {
  return service.endpoints.flatMap(endpoint => {
    const last = endpoint.resolved.at(-1)
    if ((endpoint.kind !== 'collection' && endpoint.kind !== 'item') || last?.kind !== 'navigation') return []
    const owner = endpoint.resolved.slice(0, -1)
    const isBelow = owner.at(-1)?.kind === 'key' && isSamePath(owner.slice(0, -1), resolved)
    return isBelow ? [{ relation: last.property, endpoint }] : []
  })
}

export function relationPath({ path }: Pick<CreatedItem, 'path'>, { endpoint }: RelationSite): string {
  const { template } = endpoint.path
  return path + template.slice(template.lastIndexOf('/'))
}

/** The absolute URL of a created item: no service can read it in two ways. */
export function urlOf({ path, response }: CreatedItem, { path: created }: WriteSite): string {
  const { url } = response.request
  return url.slice(0, url.length - created.length) + path
}

type Targets =
  | { readonly kind: 'created'; readonly items: readonly CreatedItem[] }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** Creates the items for links: two for a relation to many, so that a service cannot ignore one. */
export async function createTargets({ relation, targets }: RelationSite, session: Session): Promise<Targets> {
  const items: CreatedItem[] = []
  for (let count = relation.collection ? 2 : 1; count > 0; count--) {
    const outcome = await createItem({}, targets, session)
    if (outcome.kind === 'ended') return outcome
    items.push(outcome.item)
  }
  return { kind: 'created', items }
}

/** What a refusal of a write to a relation means: the interface need not say which values a service takes. */
export function refusalVerdict(
  response: TestResponse,
  feature: 'bind' | 'references' | 'deepInsert' | 'deepUpdate',
  { service }: Session,
): Verdict | undefined {
  const { status } = response
  const inconclusive = status === 501 ? undefined : inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (status < 400) return undefined
  if (status !== 501 || service.features[feature] !== 'required') return { kind: 'unsupported', constructs: [feature] }
  return failure({
    message: `The spec requires the feature ${feature}, but the service does not implement it.`,
    expected: 'a success, or an error other than 501',
    received: describeResponse(response),
    answers: [response],
    features: [`feature.${feature}`, 'status'],
  })
}

/**
 * Reads a relation until it leads to these items, and no others of this run.
 *
 * @param present the items to which it must lead
 * @param absent those to which it must not lead
 */
export async function relationMismatch(
  owner: Pick<CreatedItem, 'path'>,
  at: RelationSite,
  present: readonly CreatedItem[],
  absent: readonly CreatedItem[],
  features: readonly string[],
  session: Session,
): Promise<Verdict> {
  const path = relationPath(owner, at)
  let unread: Verdict | undefined
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    const { keys, answers } = await relatedKeys(path, at, session)
    unread = keys === undefined ? { kind: 'inconclusive', why: 'the related items cannot be read' } : undefined
    if (keys === undefined) return undefined
    const missing = present.filter(({ key }) => key !== undefined && !keys.has(key))
    const extra = absent.filter(({ key }) => key !== undefined && keys.has(key))
    if (missing.length === 0 && extra.length === 0) return undefined
    return {
      message: `The relation ${at.relation.name} does not lead to the items that the write linked.`,
      expected: `${present.length} of the linked items, and none of the ${absent.length} others`,
      received: `${missing.length} of them missing, ${extra.length} of the others`,
      answers,
      features,
    }
  }, session)
  if (finding !== undefined) return failure(finding)
  return unread ?? { kind: 'pass' }
}

async function relatedKeys(
  path: string,
  { relation, endpoint }: RelationSite,
  session: Session,
): Promise<{ readonly keys: ReadonlySet<string> | undefined; readonly answers: readonly TestResponse[] }> {
  if (relation.collection) {
    const { rows, pages, end } = await session.list({ method: 'GET', path })
    const keys = new Set(rows.flatMap(row => keyOf(row, endpoint.type) ?? []))
    return { keys: end === 'complete' ? keys : undefined, answers: pages }
  }
  const response = await session.send({ method: 'GET', path })
  const answers = [response]
  if (response.status === 204 || response.status === 404) return { keys: new Set(), answers }
  const key = response.status === 200 && isRow(response.json) ? keyOf(response.json, endpoint.type) : undefined
  return { keys: key === undefined ? undefined : new Set([key]), answers }
}
