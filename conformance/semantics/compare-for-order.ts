import { signsOf } from './compare.js'
import { type Known, type Laws, lawsOf } from './laws.js'
import { readJson } from './read-value.js'
import { isEqual, isGreater, isLess, type Signs, textSigns } from './text.js'
import type { Value } from './value.js'

type Nulls = 'first' | 'last' | 'lowest' | 'highest'

/**
 * How two JSON values of a type stand in `$orderby`, in the given direction: negative when the left one comes first, 0
 * when the key does not tell them apart, absent when the choices that are known leave it open.
 *
 * @param type as in the type table, `Edm.String`
 */
export function compareForOrder(
  left: unknown,
  right: unknown,
  type: string,
  known: Known,
  direction: 'asc' | 'desc' = 'asc',
): number | undefined {
  const laws = lawsOf(known)
  const reading = { laws, types: known.types }
  const a = only(readJson(left, type, false, reading))
  const b = only(readJson(right, type, false, reading))
  if (a === undefined || b === undefined) return undefined
  if (a === null || b === null) return nullOrder(a, b, known, direction)
  const ascending = ascendingOrder(a, b, reading)
  return ascending === undefined || direction === 'asc' ? ascending : 0 - ascending
}

function only(values: ReturnType<typeof readJson>): Value | undefined {
  return values === 'unknown' || values.length !== 1 ? undefined : values[0]
}

function nullOrder(a: Value, b: Value, known: Known, direction: 'asc' | 'desc'): number | undefined {
  if (a === b) return 0
  const learned = learnedNulls(known)
  if (learned === undefined) return undefined
  const isFirst = learned === 'first' || learned === (direction === 'asc' ? 'lowest' : 'highest')
  return (a === null) === isFirst ? -1 : 1
}

/** As OData has it when the spec does not leave it open. */
function learnedNulls({ choices, service }: Known): Nulls | undefined {
  const learned = choices.get('nullOrder')
  if (learned === 'first' || learned === 'last' || learned === 'lowest' || learned === 'highest') return learned
  return service.open.some(({ name }) => name === 'nullOrder') ? undefined : 'lowest'
}

function ascendingOrder(
  a: Exclude<Value, null>,
  b: Exclude<Value, null>,
  reading: Parameters<typeof signsOf>[2],
): number | undefined {
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    return typeof a === typeof b ? Number(a) - Number(b) : undefined
  }
  if (a.kind !== 'text' || b.kind !== 'text') return numberOf(signsOf(a, b, reading))
  const { laws } = reading
  if (a.text === b.text) return 0
  if (laws.orderIsLocal.possible) return undefined
  const order = numberOf(textSigns(a.text, b.text, laws.orderFoldsCase, whenSorting(laws)))
  // Texts that are equal but for case, accents and the like: some services put them in an order of their own.
  return order === 0 ? undefined : order
}

/** What comparisons fold for certain, sorting may keep apart: an index has an order of its own. */
function whenSorting(laws: Laws): Laws {
  const { trailingSpacesFold, normalizationFolds } = laws
  return {
    ...laws,
    trailingSpacesFold: { ...trailingSpacesFold, certain: false },
    normalizationFolds: { ...normalizationFolds, certain: false },
  }
}

function numberOf(signs: Signs | undefined): number | undefined {
  if (signs === isEqual) return 0
  if (signs === isLess) return -1
  return signs === isGreater ? 1 : undefined
}
