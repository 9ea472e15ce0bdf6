import { absentItemSite, isAbsentKey } from '../../discover/absent-item.js'
import { onePerEndpoint, type Site, sitePath } from '../../discover/site.js'
import { primitiveOf } from '../../lists/properties.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

export const itemNotFound: ActiveRule = {
  kind: 'active',
  id: 'item-not-found',
  area: 'errors',
  statement: 'A request for an item that does not exist gets 404 and an error object.',
  advice:
    'This also applies below an item: the collection of an unknown owner is not an empty list. Look for reads that turn "no row" into null, an empty list or a server error.',
  aspects: ['error.notFound'],
  covers: ['error.itemNotFound', 'fault.itemNotFound', 'endpoint.item'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 8,
  sites,
  cases: (site, session) => {
    const hasAbsent = absentItemSite(site, session) !== undefined
    const others = Object.keys(otherKeys).filter(
      variant => !(hasAbsent && variant === improbableKey) && otherKeyPath(variant, site, session) !== undefined,
    )
    const variants = [...(hasAbsent ? ['unknown key'] : []), ...others]
    return { planned: variants.map(variant => ({ variant })), skipReason: 'no unused key can be generated' }
  },
  check: async ({ variant = '' }, site, session) => {
    const isOther = Object.hasOwn(otherKeys, variant)
    const path = isOther ? otherKeyPath(variant, site, session) : absentItemSite(site, session)?.path
    if (path === undefined) return { kind: 'inconclusive', why: 'no unused key can be generated' }
    const response = await session.send({ method: 'GET', path })
    const inconclusive = response.status === 404 ? undefined : inconclusiveVerdict(response)
    // The credential may be refused at the unknown item only.
    const isAccepted = async (): Promise<boolean> =>
      (await session.send({ method: 'GET', path: site.path })).status < 300
    const isDenied = response.status === 401 || response.status === 403
    if (inconclusive !== undefined && !(isDenied && (await isAccepted()))) return inconclusive
    const { itemNotFound: notFound, malformedKey } = session.service.faults
    const finding = errorFinding(response, isOther ? [notFound, malformedKey] : notFound, session)
    return verdictOf(finding)
  },
}

/** A part of a shorter key may be a key itself. */
const minKeyLength = 8

/** A key so long that no item has it, where no key in the form of the others is known to be free. */
const improbableKey = 'improbable key'

/** Keys that no item has, but that a service may take for the key of an item. */
const otherKeys: Readonly<Record<string, (key: string) => string | undefined>> = {
  [improbableKey]: key => `${key}specwrightNoSuchItem`,
  'part of a key': key => (key.length < 3 ? undefined : key.slice(0, key.length < minKeyLength ? -1 : -2)),
  // Some services find the items of a list by their positions, too.
  'position in a list': key => (key.length < 4 ? undefined : '1'),
  'longer key': key => (key.length < 4 ? undefined : `${key}${key.slice(-4)}`),
  // Some services fail if a key is not a number.
  'not a number': key => (/^\d+$/.test(key) ? 'specwright-no-such-key' : undefined),
}

/** The path of an item with such a key. Undefined if the key may exist. */
function otherKeyPath(variant: string, site: Site, session: Session): string | undefined {
  const last = site.endpoint.keys.at(-1)
  const key = last === undefined ? undefined : site.keys[last.variable]
  const other = key === undefined ? undefined : otherKeys[variant]?.(key)
  if (last === undefined || key === undefined || other === undefined) return undefined
  if (!['String', 'Guid'].includes(primitiveOf(last.property.type) ?? '')) return undefined
  const isUnlikely =
    variant === improbableKey ||
    (key.length >= minKeyLength && (variant === 'part of a key' || variant === 'longer key'))
  if (!isUnlikely && !isAbsentKey(site, other, session)) return undefined
  return sitePath(site.endpoint, { ...site.keys, [last.variable]: other })
}

/** Items first; then paths below items for which the spec declares the error. */
function sites({ sites: all, service }: Session): readonly Site[] {
  const eligible = onePerEndpoint(all).filter(site => {
    const { endpoint } = site
    if (endpoint.method !== 'GET' || endpoint.kind === 'call' || endpoint.keys.length === 0) return false
    return isByKey(site) || endpoint.errors.includes(service.faults.itemNotFound)
  })
  return [...eligible.filter(isByKey), ...eligible.filter(site => !isByKey(site))]
}

/** Whether the path ends in a key. */
function isByKey({ endpoint }: Site): boolean {
  return endpoint.kind === 'item' && /^(?:key|alternateKey)$/.test(endpoint.resolved.at(-1)?.kind ?? '')
}

const nowhere = 'specwrightNoSuchPath'

export const pathNotFound: ActiveRule = {
  kind: 'active',
  id: 'path-not-found',
  area: 'errors',
  statement: 'A request for an unknown path gets an error object.',
  advice:
    'Frameworks answer unknown paths with their own page. Register a handler for unmatched routes, including those below existing paths.',
  aspects: ['error.body', 'relation.path'],
  covers: ['error.pathNotFound', 'fault.pathNotFound'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 3,
  sites: ({ sites }) => {
    const reads = sites.filter(({ endpoint }) => endpoint.kind === 'item' || endpoint.kind === 'collection')
    const first = reads.find(({ endpoint }) => endpoint.kind === 'item' && endpoint.keys.length > 0) ?? reads[0]
    return first === undefined ? [] : [first]
  },
  cases: ({ endpoint }) => ({
    planned: [{ variant: 'below the root' }, ...(endpoint.kind === 'item' ? [{ variant: 'below an item' }] : [])],
  }),
  check: async ({ variant }, site, session) => {
    const path = variant === 'below an item' ? `${site.path}/${nowhere}` : `/${nowhere}`
    const response = await session.send({ method: 'GET', path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, session.service.faults.pathNotFound, session)
    return verdictOf(finding)
  },
}
