import type { ComparisonOperator } from '../../runtime/query/index.js'
import type { OperatorGroup } from '../choices/choices.js'
import { type ComparisonSemantics, comparisonSemanticsOf, type ServiceKnowledge } from './comparison-semantics.js'
import { areClose, compareRationals } from './rational.js'
import { anyOrdering, isEqual, isGreater, isLess, localeOrderings, type Orderings, textOrderings } from './text.js'
import { anyTruth, isFalse, isNull, isTrue, type TruthSet } from './truth-set.js'
import { type PossibleValues, parseAs, readJson, type Value, type ValueContext } from './values.js'

export type RelationalOperator = Exclude<ComparisonOperator, 'has' | 'in'>

/** The orderings for which each operator is true. */
const trueOrderings: Readonly<Record<RelationalOperator, Orderings>> = {
  eq: isEqual,
  ne: isLess | isGreater,
  gt: isGreater,
  ge: isGreater | isEqual,
  lt: isLess,
  le: isLess | isEqual,
}

/**
 * The possible results of a comparison. `isLiteral`: one operand is the literal `null`, which equals null in any logic.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1
 */
export function compareValues(
  operator: RelationalOperator,
  left: PossibleValues,
  right: PossibleValues,
  isLiteral: boolean,
  context: ValueContext,
): TruthSet {
  if (left === 'unknown' || right === 'unknown') return anyTruth
  let truth: TruthSet = 0
  for (const a of left) for (const b of right) truth |= comparePair(operator, a, b, isLiteral, context)
  return truth
}

function comparePair(
  operator: RelationalOperator,
  a: Value,
  b: Value,
  isLiteral: boolean,
  context: ValueContext,
): TruthSet {
  if (a === null || b === null) return compareWithNull(operator, a === b, isLiteral, context)
  const signs = possibleOrderings(a, b, context, operator === 'eq' || operator === 'ne' ? 'equality' : 'relational')
  if (signs === undefined) return anyTruth
  const matching = trueOrderings[operator]
  return (signs & matching ? isTrue : 0) | (signs & ~matching ? isFalse : 0)
}

function compareWithNull(
  operator: RelationalOperator,
  areBoth: boolean,
  isLiteral: boolean,
  { semantics }: ValueContext,
): TruthSet {
  if (operator !== 'eq' && operator !== 'ne') {
    const { possible, certain } = semantics.relationalIsThreeValued
    return (certain ? 0 : isFalse) | (possible ? isNull : 0)
  }
  const plain = (operator === 'eq') === areBoth ? isTrue : isFalse
  if (isLiteral) return plain
  const { possible, certain } = semantics.equalityIsThreeValued
  return (certain && !areBoth ? 0 : plain) | (possible ? isNull : 0)
}

/** The possible orderings of two values; absent if unknown, or if the values are not comparable. */
function possibleOrderings(a: Value, b: Value, context: ValueContext, operators: OperatorGroup): Orderings | undefined {
  if (a === null || b === null) return undefined
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === b ? isEqual : booleanOrderings(a, b)
  if (a.kind === 'text' && b.kind === 'text') {
    const { semantics } = context
    const byEquality = textOrderings(a.text, b.text, semantics.equalityFoldsCase, semantics)
    if (operators === 'equality') return byEquality
    const { relationalFoldsCase, relationalIsByLocale } = semantics
    const byLocale = relationalIsByLocale.possible ? localeOrderings(a.text, b.text) : 0
    // A service may evaluate `le` as `lt` or `eq`, each by its own collation.
    return byLocale | (byEquality & isEqual) | textOrderings(a.text, b.text, relationalFoldsCase, semantics)
  }
  if (a.kind === 'text') {
    const read = parseAs(a.text, b, context)
    return read === undefined ? undefined : possibleOrderings(read, b, context, operators)
  }
  if (b.kind === 'text') {
    const read = parseAs(b.text, a, context)
    return read === undefined ? undefined : possibleOrderings(a, read, context, operators)
  }
  return sameKindOrderings(a, b, context)
}

function booleanOrderings(a: Value, b: Value): Orderings | undefined {
  return typeof a === typeof b ? isLess | isGreater : undefined
}

type Present = Exclude<Value, null | boolean>

function sameKindOrderings(a: Present, b: Present, context: ValueContext): Orderings | undefined {
  if (a.kind === 'number' && b.kind === 'number') {
    if ((a.approximate || b.approximate) && areClose(a.value, b.value)) return anyOrdering
    return orderingOf(compareRationals(a.value, b.value))
  }
  if (a.kind === 'instant' && b.kind === 'instant') {
    const isSame = a.from === a.to && b.from === b.to && a.from === b.from
    if (isSame) return isEqual
    const overlaps = a.from <= b.to && b.from <= a.to
    return (a.from < b.to ? isLess : 0) | (overlaps ? isEqual : 0) | (a.to > b.from ? isGreater : 0)
  }
  if (a.kind === 'date' && b.kind === 'date') return orderingOf(a.days - b.days)
  if (a.kind === 'time' && b.kind === 'time') return orderingOf(Number(a.ticks - b.ticks))
  if (a.kind === 'duration' && b.kind === 'duration') return orderingOf(Number(a.ticks - b.ticks))
  // Services disagree on the order of GUIDs and binary values.
  if (a.kind === 'guid' && b.kind === 'guid') return a.text === b.text ? isEqual : isLess | isGreater
  if (a.kind === 'opaque' && b.kind === 'opaque') return a.text === b.text ? isEqual : undefined
  if (a.kind === 'enum' && b.kind === 'enum') return enumOrderings(a, b, context)
  return undefined
}

type EnumValue = Extract<Present, { readonly kind: 'enum' }>

/** Orders by number, by name, or both if unknown. Names that differ in case only may denote the same member. */
function enumOrderings(a: EnumValue, b: EnumValue, { semantics }: ValueContext): Orderings | undefined {
  if (a.number === undefined || b.number === undefined) return a.text === b.text ? isEqual : undefined
  const { possible, certain } = semantics.enumsOrderByName
  if (a.number === b.number) {
    // A member with the value zero adds a name to flags, but does not change their number.
    return a.text === b.text || !possible ? isEqual : isEqual | orderingOf(a.text < b.text ? -1 : 1)
  }
  const byNumber = certain ? 0 : orderingOf(a.number < b.number ? -1 : 1)
  return byNumber | (possible ? orderingOf(a.text < b.text ? -1 : 1) : 0)
}

function orderingOf(difference: number): Orderings {
  return difference < 0 ? isLess : difference > 0 ? isGreater : isEqual
}

type NullPlacement = 'first' | 'last' | 'lowest' | 'highest'

/**
 * Compares two JSON values for `$orderby` in the given direction. Negative if the left one sorts first, 0 if the key
 * does not distinguish them, absent if the known choices leave the order open.
 *
 * @param type as in the type table, such as `Edm.String`
 */
export function compareForOrder(
  left: unknown,
  right: unknown,
  type: string,
  knowledge: ServiceKnowledge,
  direction: 'asc' | 'desc' = 'asc',
): number | undefined {
  const semantics = comparisonSemanticsOf(knowledge)
  const reading = { semantics, types: knowledge.types }
  const a = onlyValue(readJson(left, type, false, reading))
  const b = onlyValue(readJson(right, type, false, reading))
  if (a === undefined || b === undefined) return undefined
  if (a === null || b === null) return compareNulls(a, b, knowledge, direction)
  const ascending = ascendingOrder(a, b, reading)
  return ascending === undefined || direction === 'asc' ? ascending : 0 - ascending
}

function onlyValue(values: ReturnType<typeof readJson>): Value | undefined {
  return values === 'unknown' || values.length !== 1 ? undefined : values[0]
}

function compareNulls(a: Value, b: Value, knowledge: ServiceKnowledge, direction: 'asc' | 'desc'): number | undefined {
  if (a === b) return 0
  const learned = nullPlacement(knowledge)
  if (learned === undefined) return undefined
  const isFirst = learned === 'first' || learned === (direction === 'asc' ? 'lowest' : 'highest')
  return (a === null) === isFirst ? -1 : 1
}

/** If the spec does not leave the choice open, the order of OData applies. */
function nullPlacement({ choices, service }: ServiceKnowledge): NullPlacement | undefined {
  const learned = choices.get('nullOrder')
  if (learned === 'first' || learned === 'last' || learned === 'lowest' || learned === 'highest') return learned
  return service.open.some(({ name }) => name === 'nullOrder') ? undefined : 'lowest'
}

function ascendingOrder(
  a: Exclude<Value, null>,
  b: Exclude<Value, null>,
  context: Parameters<typeof possibleOrderings>[2],
): number | undefined {
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    return typeof a === typeof b ? Number(a) - Number(b) : undefined
  }
  if (a.kind !== 'text' || b.kind !== 'text') return signOfOrdering(possibleOrderings(a, b, context, 'relational'))
  const { semantics } = context
  if (a.text === b.text) return 0
  const byLocale = semantics.orderIsByLocale.possible ? localeOrderings(a.text, b.text) : 0
  const others = semantics.orderIsByLocale.certain
    ? 0
    : textOrderings(a.text, b.text, semantics.orderFoldsCase, sortSemantics(semantics))
  const order = signOfOrdering(byLocale | others)
  // Some services order texts that are equal except for case or accents.
  return order === 0 ? undefined : order
}

/** Sorting may distinguish what comparisons fold, because an index has its own order. */
function sortSemantics(semantics: ComparisonSemantics): ComparisonSemantics {
  const { trailingSpacesFold, normalizationFolds } = semantics
  return {
    ...semantics,
    trailingSpacesFold: { ...trailingSpacesFold, certain: false },
    normalizationFolds: { ...normalizationFolds, certain: false },
  }
}

function signOfOrdering(signs: Orderings | undefined): number | undefined {
  if (signs === isEqual) return 0
  if (signs === isLess) return -1
  return signs === isGreater ? 1 : undefined
}
