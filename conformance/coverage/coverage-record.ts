import { type Aspect, type AspectGroup, aspectGroupOf, type Endpoint, type Service } from '../../spec/language/index.js'
import { createEndpointFinder, type Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { declaredAspects, mainAspect } from './declared-aspects.js'

/** One aspect of one endpoint. */
export interface Cell {
  readonly endpoint: Endpoint
  readonly aspect: AspectGroup
}

/** What one check showed. `refused`: the service rejected the request, and the spec allows that. */
export type Outcome = { readonly kind: 'checked' | 'refused' } | { readonly kind: 'inconclusive'; readonly why: string }

/** What is known about a cell. */
export interface CellRecord {
  readonly checked: number
  readonly refused: number
  readonly inconclusive: number
  /** The addresses at which it was checked. */
  readonly sites: ReadonlySet<string>
  /** Why the last inconclusive check was inconclusive. */
  readonly why?: string
}

/** Which aspects of which endpoints were checked. */
export interface CoverageRecord {
  /** The endpoint that a response comes from. Undefined if the spec declares none there, or if there is no response. */
  readonly endpointOf: (response: TestResponse) => Endpoint | undefined
  /** The cells that a response is evidence of, beside those of the rule's own site. */
  readonly cellsOf: (response: TestResponse) => readonly Cell[]
  /**
   * Records a check.
   *
   * @param exercised the cells of all responses that the check received
   */
  readonly recordCheck: (
    rule: { readonly aspects: readonly Aspect[] },
    site: Site,
    outcome: Outcome,
    exercised: Iterable<Cell>,
  ) => void
  /** Records that a response was received. Reads count as checked only if one of them succeeded. */
  readonly recordExchange: (response: TestResponse) => void
  /** Records that a passive rule inspected a response. */
  readonly recordInspection: (rule: { readonly aspects: readonly Aspect[] }, response: TestResponse) => void
  readonly at: (cell: Cell) => CellRecord | undefined
  /**
   * Whether the main aspect of an endpoint was checked or refused. `by-error`: it was checked, but it is to be read, and no read
   * succeeded.
   */
  readonly answerOf: (endpoint: Endpoint) => 'yes' | 'no' | 'by-error'
}

interface MutableCell {
  checked: number
  refused: number
  inconclusive: number
  readonly sites: Set<string>
  why?: string
}

const onlyErrors = 'the service answered every read of it with an error'

/** @param root address of the service, without a trailing slash */
export function createCoverageRecord(service: Service, root: string): CoverageRecord {
  const find = createEndpointFinder(service)
  const base = new URL(root).pathname.replace(/\/$/, '')
  const records = new Map<Endpoint, Map<AspectGroup, MutableCell>>()
  const declared = new Map(service.endpoints.map(endpoint => [endpoint, declaredAspects(endpoint, service)]))
  const isDeclared = ({ endpoint, aspect }: Cell): boolean => declared.get(endpoint)?.has(aspect) === true
  const endpointOf = ({ request, transportError }: TestResponse): Endpoint | undefined => {
    if (transportError !== undefined) return undefined
    const { pathname } = new URL(request.url)
    return find(request.method, pathname.startsWith(base) ? pathname.slice(base.length) : pathname)
  }
  const succeeded = new Set<Endpoint>()
  /** Errors alone do not show what an endpoint returns. */
  const conclusive = (endpoint: Endpoint, aspect: AspectGroup): CellRecord | undefined => {
    const known = records.get(endpoint)?.get(aspect)
    if (known === undefined || known.checked === 0 || aspect !== 'read' || succeeded.has(endpoint)) return known
    const { checked, inconclusive } = known
    return { ...known, checked: 0, sites: new Set(), inconclusive: inconclusive + checked, why: onlyErrors }
  }
  const cellsOf = (response: TestResponse): readonly Cell[] => {
    const endpoint = endpointOf(response)
    if (endpoint === undefined) return []
    return exercisedAspects(response, endpoint).map(aspect => ({ endpoint, aspect }))
  }
  const recordOf = ({ endpoint, aspect }: Cell): MutableCell => {
    const ofEndpoint = records.get(endpoint) ?? new Map<AspectGroup, MutableCell>()
    records.set(endpoint, ofEndpoint)
    const known = ofEndpoint.get(aspect) ?? { checked: 0, refused: 0, inconclusive: 0, sites: new Set<string>() }
    ofEndpoint.set(aspect, known)
    return known
  }
  const record = (cell: Cell, place: string, outcome: Outcome): void => {
    if (!isDeclared(cell)) return
    const known = recordOf(cell)
    known[outcome.kind]++
    if (outcome.kind === 'checked') known.sites.add(place)
    if (outcome.kind === 'inconclusive') known.why = outcome.why
  }
  return {
    endpointOf,
    cellsOf,
    recordCheck: (rule, site, outcome, exercised) => {
      const groups = groupsOf(rule.aspects)
      for (const aspect of groups) {
        if (showsAspect(rule, site.endpoint, aspect)) record({ endpoint: site.endpoint, aspect }, site.id, outcome)
      }
      for (const cell of exercised) {
        const isOther = cell.endpoint !== site.endpoint && groups.has(cell.aspect)
        if (isOther && showsAspect(rule, cell.endpoint, cell.aspect)) record(cell, cell.endpoint.name, outcome)
      }
    },
    recordExchange: response => {
      const { status, testRequest } = response
      const endpoint = status >= 400 || (testRequest.credential ?? 'own') !== 'own' ? undefined : endpointOf(response)
      if (endpoint !== undefined) succeeded.add(endpoint)
    },
    recordInspection: (rule, response) => {
      const endpoint = endpointOf(response)
      if (endpoint === undefined) return
      for (const aspect of groupsOf(rule.aspects)) {
        record({ endpoint, aspect }, new URL(response.request.url).pathname, { kind: 'checked' })
      }
    },
    at: ({ endpoint, aspect }) => conclusive(endpoint, aspect),
    answerOf: endpoint => {
      const [known, all] = [
        conclusive(endpoint, mainAspect(endpoint)),
        records.get(endpoint)?.get(mainAspect(endpoint)),
      ]
      if (known !== undefined && known.checked + known.refused > 0) return 'yes'
      return all !== undefined && all.checked > 0 ? 'by-error' : 'no'
    },
  }
}

/** If the spec defines the result of an operation, a check of its parameters alone does not show that the operation works. */
function showsAspect(rule: { readonly aspects: readonly Aspect[] }, endpoint: Endpoint, aspect: AspectGroup): boolean {
  if (aspect !== 'operations' || endpoint.kind !== 'call') return true
  const { meaning, definition } = endpoint.operation
  return (meaning === undefined && definition === undefined) || rule.aspects.includes('operation.result')
}

const groups = new Map<readonly Aspect[], ReadonlySet<AspectGroup>>()

/** The aspect groups of a rule. */
export function groupsOf(aspects: readonly Aspect[]): ReadonlySet<AspectGroup> {
  const known = groups.get(aspects) ?? new Set(aspects.map(aspectGroupOf))
  groups.set(aspects, known)
  return known
}

/**
 * The aspects that one exchange is about, whatever rule caused it. A rule about updates sends its requests to an
 * endpoint that updates, but its site is the endpoint that creates.
 */
function exercisedAspects(
  { testRequest: { credential = 'own' }, request: { headers }, status }: TestResponse,
  endpoint: Endpoint,
): readonly AspectGroup[] {
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  return [
    ...(credential === 'own' ? [mainAspect(endpoint)] : (['authentication'] as const)),
    ...(names.has('if-match') || names.has('if-none-match') ? (['preconditions'] as const) : []),
    ...(names.has('prefer') ? (['preferences'] as const) : []),
    ...(status >= 400 ? (['errors'] as const) : []),
  ]
}
