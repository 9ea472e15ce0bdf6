import type { OpenChoice, Service } from '../../spec/language/index.js'
import type { Choices } from '../choices/choices.js'
import type { Session } from '../session/session.js'

/** Of two ways to behave, whether the other one than OData's plain one is possible, and whether it is certain. */
export interface Deviation {
  readonly possible: boolean
  readonly certain: boolean
}

/** How values compare, as far as the spec says and was learned: each law named after its other way. */
export interface ComparisonSemantics {
  /** The comparison operators tell letter case apart, or not. */
  readonly comparisonFoldsCase: Deviation
  /** `startswith`, `endswith` and `contains`. */
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
  /** An absent property is something else than null. */
  readonly absentIsDistinct: Deviation
  /** Moments are kept finer than shown. */
  readonly instantsAreFiner: Deviation
  readonly enumsOrderByName: Deviation
  /** `$orderby` does not tell letter case apart. */
  readonly orderFoldsCase: Deviation
  /** `$orderby` goes by the rules of some language. */
  readonly orderIsByLocale: Deviation
}

/** What the evaluator has to know of a session. */
export type ServiceKnowledge = Pick<Session, 'choices' | 'service' | 'types'>

const byService = new WeakMap<Service, ReadonlyMap<string, OpenChoice>>()

function openChoicesOf(service: Service): ReadonlyMap<string, OpenChoice> {
  const known = byService.get(service) ?? new Map(service.open.map(choice => [choice.name, choice]))
  byService.set(service, known)
  return known
}

/** A choice that the spec does not mention goes as OData has it: never the other way. */
function deviationOf({ choices, service }: ServiceKnowledge, name: string, other: string): Deviation {
  const choice = openChoicesOf(service).get(name)
  if (choice === undefined) return { possible: false, certain: false }
  const learned = choices.get(name)
  if (learned !== undefined) return { possible: String(learned) === other, certain: String(learned) === other }
  const legal = choice.legal.map(String)
  return { possible: legal.includes(other), certain: legal.length === 1 && legal[0] === other }
}

/** The laws as they were when so much had been learned. */
interface CachedSemantics {
  readonly service: Service
  readonly revision: number
  readonly semantics: ComparisonSemantics
}

const byChoices = new WeakMap<Choices, CachedSemantics>()

/** What is possible and what is certain at this point of a run. */
export function comparisonSemanticsOf(known: ServiceKnowledge): ComparisonSemantics {
  const { choices, service } = known
  const revision = choices.revision?.()
  const before = byChoices.get(choices)
  if (before !== undefined && before.service === service && before.revision === revision) return before.semantics
  const laws = computeSemantics(known)
  if (revision !== undefined) byChoices.set(choices, { service, revision, semantics: laws })
  return laws
}

function computeSemantics(known: ServiceKnowledge): ComparisonSemantics {
  return {
    comparisonFoldsCase: deviationOf(known, 'stringComparison', 'caseInsensitive'),
    functionsFoldCase: deviationOf(known, 'functionComparison', 'caseInsensitive'),
    accentsFold: deviationOf(known, 'accents', 'folded'),
    trailingSpacesFold: deviationOf(known, 'trailingSpaces', 'folded'),
    normalizationFolds: deviationOf(known, 'normalization', 'folded'),
    emptyIsNull: deviationOf(known, 'emptyString', 'null'),
    equalityIsThreeValued: deviationOf(known, 'nullEquality', 'threeValued'),
    relationalIsThreeValued: deviationOf(known, 'nullRelational', 'threeValued'),
    functionIsTwoValued: deviationOf(known, 'nullFunction', 'twoValued'),
    absentIsDistinct: deviationOf(known, 'absentProperty', 'distinct'),
    instantsAreFiner: deviationOf(known, 'timestampPrecision', 'finer'),
    enumsOrderByName: deviationOf(known, 'enumOrder', 'name'),
    orderFoldsCase: deviationOf(known, 'stringOrder', 'caseInsensitive'),
    orderIsByLocale: deviationOf(known, 'stringOrder', 'locale'),
  }
}
