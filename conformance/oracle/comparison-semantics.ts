import type { OpenChoice, Service } from '../../spec/language/index.js'
import type { Choices, OperatorGroup } from '../choices/choices.js'
import type { Session } from '../session/session.js'

/** Whether a service may deviate from OData's default, and whether it certainly does. */
export interface Deviation {
  readonly possible: boolean
  readonly certain: boolean
}

/**
 * How values compare, as far as the spec and the learned choices determine. Each member names a deviation from OData's
 * default.
 */
export interface ComparisonSemantics {
  /** `eq`, `ne` and `in` ignore letter case. */
  readonly equalityFoldsCase: Deviation
  /** `gt`, `ge`, `lt` and `le` ignore letter case. */
  readonly relationalFoldsCase: Deviation
  /** `gt`, `ge`, `lt` and `le` follow a locale. */
  readonly relationalIsByLocale: Deviation
  /** `startswith`, `endswith` and `contains` ignore letter case. */
  readonly functionsFoldCase: Deviation
  readonly accentsFold: Deviation
  readonly trailingSpacesFold: Deviation
  readonly normalizationFolds: Deviation
  readonly emptyIsNull: Deviation
  /** `eq` and `ne` between null and a value are null. */
  readonly equalityIsThreeValued: Deviation
  readonly relationalIsThreeValued: Deviation
  /** A Boolean function of null is false. */
  readonly functionIsTwoValued: Deviation
  /** An omitted property is not null. */
  readonly absentIsDistinct: Deviation
  /** Timestamps are stored with a higher precision than they are returned. */
  readonly instantsAreFiner: Deviation
  readonly enumsOrderByName: Deviation
  /** `$orderby` ignores letter case. */
  readonly orderFoldsCase: Deviation
  /** `$orderby` follows a locale. */
  readonly orderIsByLocale: Deviation
}

/** What the oracle needs from a session. */
export type ServiceKnowledge = Pick<Session, 'choices' | 'service' | 'types'>

const byService = new WeakMap<Service, ReadonlyMap<string, OpenChoice>>()

function openChoicesOf(service: Service): ReadonlyMap<string, OpenChoice> {
  const known = byService.get(service) ?? new Map(service.open.map(choice => [choice.name, choice]))
  byService.set(service, known)
  return known
}

/** A choice that the spec does not mention never deviates. */
function deviationOf(
  { choices, service }: ServiceKnowledge,
  name: string,
  other: string,
  operators?: OperatorGroup,
): Deviation {
  const choice = openChoicesOf(service).get(name)
  if (choice === undefined) return { possible: false, certain: false }
  const learned = choices.get(name, operators)
  if (learned !== undefined) return { possible: String(learned) === other, certain: String(learned) === other }
  const legal = choice.legal.map(String)
  return { possible: legal.includes(other), certain: legal.length === 1 && legal[0] === other }
}

/** The semantics at one revision of the choices. */
interface CachedSemantics {
  readonly service: Service
  readonly revision: number
  readonly semantics: ComparisonSemantics
}

const byChoices = new WeakMap<Choices, CachedSemantics>()

/** The comparison semantics at this point of the run. */
export function comparisonSemanticsOf(knowledge: ServiceKnowledge): ComparisonSemantics {
  const { choices, service } = knowledge
  const revision = choices.revision()
  const before = byChoices.get(choices)
  if (before !== undefined && before.service === service && before.revision === revision) return before.semantics
  const semantics = computeSemantics(knowledge)
  byChoices.set(choices, { service, revision, semantics })
  return semantics
}

/** A collation that ignores letter case may be that of a locale, unless the spec rules it out for sorting. */
function mayFollowLocale(service: Service): boolean {
  return openChoicesOf(service).get('stringOrder')?.legal.includes('locale') === true
}

function computeSemantics(knowledge: ServiceKnowledge): ComparisonSemantics {
  const relationalFoldsCase = deviationOf(knowledge, 'stringComparison', 'caseInsensitive', 'relational')
  return {
    equalityFoldsCase: deviationOf(knowledge, 'stringComparison', 'caseInsensitive', 'equality'),
    relationalFoldsCase,
    relationalIsByLocale: {
      possible: relationalFoldsCase.possible && mayFollowLocale(knowledge.service),
      certain: false,
    },
    functionsFoldCase: deviationOf(knowledge, 'functionComparison', 'caseInsensitive'),
    accentsFold: deviationOf(knowledge, 'accents', 'folded'),
    trailingSpacesFold: deviationOf(knowledge, 'trailingSpaces', 'folded'),
    normalizationFolds: deviationOf(knowledge, 'normalization', 'folded'),
    emptyIsNull: deviationOf(knowledge, 'emptyString', 'null'),
    equalityIsThreeValued: deviationOf(knowledge, 'nullEquality', 'threeValued'),
    relationalIsThreeValued: deviationOf(knowledge, 'nullRelational', 'threeValued'),
    functionIsTwoValued: deviationOf(knowledge, 'nullFunction', 'twoValued'),
    absentIsDistinct: deviationOf(knowledge, 'absentProperty', 'distinct'),
    instantsAreFiner: deviationOf(knowledge, 'timestampPrecision', 'finer'),
    enumsOrderByName: deviationOf(knowledge, 'enumOrder', 'name'),
    orderFoldsCase: deviationOf(knowledge, 'stringOrder', 'caseInsensitive'),
    orderIsByLocale: deviationOf(knowledge, 'stringOrder', 'locale'),
  }
}
