import { type AspectGroup, aspectGroups, type Endpoint, type Service } from '../../spec/language/index.js'
import type { RuleMetadata } from '../rule/rule.js'
import type { ConstraintCoverage, ConstraintRecord } from './constraints.js'
import { type CellRecord, type CoverageRecord, groupsOf } from './coverage-record.js'
import { declaredAspects, mainAspect, mayWrite } from './declared-aspects.js'
import type { Reach } from './reach.js'

/**
 * `checked`: a check showed that it holds or that it is violated. `refused`: the service rejected it, and the spec
 * allows that. `inconclusive`: checks proved nothing. `not-reached`: no check ran. `not-allowed`: checking it would
 * write, and writes were not allowed, or it would change what the suite did not create. `not-selected`: the selected rules do not check it.
 */
export type CellState = 'checked' | 'refused' | 'inconclusive' | 'not-reached' | 'not-allowed' | 'not-selected'

export const cellStates: readonly CellState[] = [
  'checked',
  'refused',
  'inconclusive',
  'not-reached',
  'not-allowed',
  'not-selected',
]

/** What was checked. Aspects that the spec does not declare for an endpoint are left out. */
export interface Coverage {
  /** The share of the places that were checked or refused, in percent, rounded down. */
  readonly percent: number
  /** A place is one aspect of one endpoint. Places that would write, or that no selected rule checks, do not count. */
  readonly places: { readonly applicable: number; readonly answered: number }
  readonly endpoints: readonly EndpointCoverage[]
  readonly aspects: readonly AspectCoverage[]
  /** The constraints that the spec states, by kind. They do not change the verdict. */
  readonly constraints: readonly ConstraintCoverage[]
}

interface EndpointCoverage {
  readonly endpoint: string
  readonly method: string
  readonly template: string
  /** The state of the endpoint's main aspect, such as `read` for a collection. */
  readonly state: CellState
  readonly cells: readonly CellCoverage[]
  /** Why it was not checked. */
  readonly why?: string
}

export interface CellCoverage {
  readonly aspect: AspectGroup
  readonly state: CellState
  /** Conclusive checks, and the number of addresses where they ran. */
  readonly checks: number
  readonly sites: number
  /** Why it was not checked. */
  readonly why?: string
}

type AspectCoverage = {
  readonly aspect: AspectGroup
  /** The state of the aspect in the whole service: it is `checked` if it was checked at one endpoint at least. */
  readonly state: CellState
  readonly endpoints: Readonly<Record<CellState, number>>
}

export interface CoverageContext {
  readonly service: Service
  readonly record: Pick<CoverageRecord, 'at'>
  readonly constraints: Pick<ConstraintRecord, 'coverage'>
  readonly rules: readonly RuleMetadata[]
  readonly allowWrites: boolean
  /** Whether the run was limited to some rules. */
  readonly isSelection: boolean
  readonly reach: Reach
}

export function coverageOf(context: CoverageContext): Coverage {
  const { service, rules } = context
  const selected = new Set(rules.flatMap(({ aspects }) => [...groupsOf(aspects)]))
  const endpoints = service.endpoints.map(endpoint => endpointCoverage(endpoint, selected, context))
  const cells = endpoints.flatMap(each => each.cells)
  const applicable = cells.filter(isApplicable)
  const answered = applicable.filter(isAnswered)
  const aspects = aspectGroups.flatMap(aspect => aspectCoverage(aspect, cells) ?? [])
  return {
    percent: applicable.length === 0 ? 0 : Math.floor((100 * answered.length) / applicable.length),
    places: { applicable: applicable.length, answered: answered.length },
    endpoints,
    aspects,
    constraints: context.constraints.coverage(),
  }
}

function endpointCoverage(
  endpoint: Endpoint,
  selected: ReadonlySet<AspectGroup>,
  context: CoverageContext,
): EndpointCoverage {
  const declared = declaredAspects(endpoint, context.service)
  const cells = aspectGroups
    .filter(aspect => declared.has(aspect))
    .map(aspect => cellCoverage(endpoint, aspect, selected, context))
  const main = cells.find(({ aspect }) => aspect === mainAspect(endpoint))
  // If the selected rules do not check what the endpoint is for, any other aspect decides.
  const decisive = main?.state === 'not-selected' ? stateOf(cells) : (main?.state ?? 'not-reached')
  const why = decisive === 'checked' ? undefined : (main?.why ?? cells.find(cell => cell.state === decisive)?.why)
  return {
    endpoint: endpoint.name,
    method: endpoint.method,
    template: endpoint.path.template,
    state: decisive,
    cells,
    ...(why === undefined ? {} : { why }),
  }
}

function cellCoverage(
  endpoint: Endpoint,
  aspect: AspectGroup,
  selected: ReadonlySet<AspectGroup>,
  { record, allowWrites, isSelection, reach }: CoverageContext,
): CellCoverage {
  const known = record.at({ endpoint, aspect })
  const seen = known === undefined ? undefined : stateOfRecord(known)
  const counts = { aspect, checks: known?.checked ?? 0, sites: known?.sites.size ?? 0 }
  if (seen === 'checked' || seen === 'refused') return { ...counts, state: seen }
  const isIdle = isSelection && seen === undefined && !reach.applies(endpoint, aspect)
  if (!selected.has(aspect) || isIdle) return { ...counts, state: 'not-selected', why: 'no selected rule checks it' }
  if (mayWrite(endpoint) && !allowWrites) return { ...counts, state: 'not-allowed', why: 'writes were not allowed' }
  if (seen === undefined && reach.isForeign(endpoint)) {
    return {
      ...counts,
      state: 'not-allowed',
      why: 'the suite changes only items that it created and can delete, unless you allow changes or leftovers',
    }
  }
  return { ...counts, state: seen ?? 'not-reached', why: known?.why ?? reach.reasonFor(endpoint, aspect) }
}

function stateOfRecord({ checked, refused, inconclusive }: CellRecord): CellState {
  if (checked > 0) return 'checked'
  if (refused > 0) return 'refused'
  return inconclusive > 0 ? 'inconclusive' : 'not-reached'
}

function aspectCoverage(aspect: AspectGroup, all: readonly CellCoverage[]): AspectCoverage | undefined {
  const cells = all.filter(cell => cell.aspect === aspect)
  if (cells.length === 0) return undefined
  const numberOf = (state: CellState): number => cells.filter(cell => cell.state === state).length
  return {
    aspect,
    state: stateOf(cells),
    endpoints: {
      checked: numberOf('checked'),
      refused: numberOf('refused'),
      inconclusive: numberOf('inconclusive'),
      'not-reached': numberOf('not-reached'),
      'not-allowed': numberOf('not-allowed'),
      'not-selected': numberOf('not-selected'),
    },
  }
}

/** The state of several cells together: of their states, the first one in the order of `cellStates`. */
function stateOf(cells: readonly CellCoverage[]): CellState {
  return cellStates.find(state => cells.some(cell => cell.state === state)) ?? 'not-reached'
}

/** Whether a run that may do all it was asked to do should have checked it. */
export function isApplicable({ state }: { readonly state: CellState }): boolean {
  return state !== 'not-allowed' && state !== 'not-selected'
}

export function isAnswered({ state }: { readonly state: CellState }): boolean {
  return state === 'checked' || state === 'refused'
}
