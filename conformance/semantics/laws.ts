import type { OpenChoice, Service } from '../../spec/language/index.js'
import type { Choices } from '../choice/choices.js'
import type { Session } from '../session/session.js'

/** Of two ways to behave, whether the other one than OData's plain one is possible, and whether it is certain. */
export interface Law {
  readonly possible: boolean
  readonly certain: boolean
}

/** How values compare, as far as the spec says and was learned: each law named after its other way. */
export interface Laws {
  /** The comparison operators tell letter case apart, or not. */
  readonly comparisonFoldsCase: Law
  /** `startswith`, `endswith` and `contains`. */
  readonly functionsFoldCase: Law
  readonly accentsFold: Law
  readonly trailingSpacesFold: Law
  readonly normalizationFolds: Law
  readonly emptyIsNull: Law
  /** `eq` and `ne` between null and a value are null. */
  readonly equalityIsThreeValued: Law
  readonly relationIsThreeValued: Law
  /** A Boolean function of null is false. */
  readonly functionIsTwoValued: Law
  /** An absent property is something else than null. */
  readonly absentIsDistinct: Law
  /** Moments are kept finer than shown. */
  readonly instantsAreFiner: Law
  readonly enumsGoByName: Law
  /** `$orderby` does not tell letter case apart. */
  readonly orderFoldsCase: Law
  /** `$orderby` goes by the rules of some language. */
  readonly orderIsLocal: Law
}

/** What the evaluator has to know of a session. */
export type Known = Pick<Session, 'choices' | 'service' | 'types'>

const byService = new WeakMap<Service, ReadonlyMap<string, OpenChoice>>()

function openOf(service: Service): ReadonlyMap<string, OpenChoice> {
  const known = byService.get(service) ?? new Map(service.open.map(choice => [choice.name, choice]))
  byService.set(service, known)
  return known
}

/** A choice that the spec does not mention goes as OData has it: never the other way. */
function law({ choices, service }: Known, name: string, other: string): Law {
  const choice = openOf(service).get(name)
  if (choice === undefined) return { possible: false, certain: false }
  const learned = choices.get(name)
  if (learned !== undefined) return { possible: String(learned) === other, certain: String(learned) === other }
  const legal = choice.legal.map(String)
  return { possible: legal.includes(other), certain: legal.length === 1 && legal[0] === other }
}

/** The laws as they were when so much had been learned. */
interface LawsThen {
  readonly service: Service
  readonly revision: number
  readonly laws: Laws
}

const byChoices = new WeakMap<Choices, LawsThen>()

/** What is possible and what is certain at this point of a run. */
export function lawsOf(known: Known): Laws {
  const { choices, service } = known
  const revision = choices.revision?.()
  const before = byChoices.get(choices)
  if (before !== undefined && before.service === service && before.revision === revision) return before.laws
  const laws = lawsNow(known)
  if (revision !== undefined) byChoices.set(choices, { service, revision, laws })
  return laws
}

function lawsNow(known: Known): Laws {
  return {
    comparisonFoldsCase: law(known, 'stringComparison', 'caseInsensitive'),
    functionsFoldCase: law(known, 'functionComparison', 'caseInsensitive'),
    accentsFold: law(known, 'accents', 'folded'),
    trailingSpacesFold: law(known, 'trailingSpaces', 'folded'),
    normalizationFolds: law(known, 'normalization', 'folded'),
    emptyIsNull: law(known, 'emptyString', 'null'),
    equalityIsThreeValued: law(known, 'nullEquality', 'threeValued'),
    relationIsThreeValued: law(known, 'nullRelational', 'threeValued'),
    functionIsTwoValued: law(known, 'nullFunction', 'twoValued'),
    absentIsDistinct: law(known, 'absentProperty', 'distinct'),
    instantsAreFiner: law(known, 'timestampPrecision', 'finer'),
    enumsGoByName: law(known, 'enumOrder', 'name'),
    orderFoldsCase: law(known, 'stringOrder', 'caseInsensitive'),
    orderIsLocal: law(known, 'stringOrder', 'locale'),
  }
}
