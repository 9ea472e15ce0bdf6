import type { Value } from '../service/values.js'
import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('operations')
const libraryMutant = mutantsIn('operations', 'library')

/** Changes the Boolean parameters. */
function flags(parameters: ReadonlyMap<string, Value>, change: (flag: boolean) => boolean): ReadonlyMap<string, Value> {
  return new Map([...parameters].map(([name, value]) => [name, typeof value === 'boolean' ? change(value) : value]))
}

const day = 86_400_000

/** A point in time as text, moved by some milliseconds; other values as they are. */
function movedBy(value: Value, distance: (time: number) => number): Value {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? value : new Date(time + distance(time)).toISOString()
}

/** Faults of functions and actions. */
export const operationsMutants: readonly Mutant[] = [
  mutant('flag-ignored', 'A Boolean parameter is always false.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) =>
      correct.satisfiesFilter(
        row,
        filter,
        flags(parameters, () => false),
        at,
      ),
  })),
  mutant('flag-turned-round', 'A Boolean parameter is inverted.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) =>
      correct.satisfiesFilter(
        row,
        filter,
        flags(parameters, flag => !flag),
        at,
      ),
  })),
  mutant('meaning-ignored', 'Parameters have no effect on what an operation returns.', () => ({
    satisfiesFilter: () => true,
  })),
  mutant('given-values-echoed', 'A membership check returns all given identifiers.', correct => ({
    reply: (reply, at) => {
      const isIt = at.endpoint?.kind === 'call' && at.endpoint.operation.parameters.some(({ collection }) => collection)
      if (!isIt || reply.status !== 200) return correct.reply(reply, at)
      const sent: { readonly [name: string]: string[] } = JSON.parse(at.request.body)
      return { ...reply, json: { value: Object.values(sent)[0] ?? [] } }
    },
  })),
  mutant('last-listed-value-ignored', 'An operation ignores the last of several values of a list.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) => {
      const shortened = [...parameters].map(([name, value]) => {
        const isList = typeof value === 'object' && value?.kind === 'collection' && value.items.length > 1
        return [name, isList ? { ...value, items: value.items.slice(0, -1) } : value] as const
      })
      return correct.satisfiesFilter(row, filter, new Map(shortened), at)
    },
  })),
  mutant('listed-values-ignored', 'An operation ignores a list of values.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) =>
      [...parameters.values()].some(value => typeof value === 'object' && value?.kind === 'collection') ||
      correct.satisfiesFilter(row, filter, parameters, at),
  })),
  mutant('empty-list-is-any', 'An operation takes an empty list for any value.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) =>
      [...parameters.values()].some(
        value => typeof value === 'object' && value?.kind === 'collection' && value.items.length === 0,
      ) || correct.satisfiesFilter(row, filter, parameters, at),
  })),
  mutant('unknown-value-is-404', 'An operation with a value that no item has gets 404.', correct => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'call' && at.request.body.includes('unknown')
        ? correct.error(at.service.faults.itemNotFound, 'There is no such item.', at)
        : correct.reply(reply, at),
  })),
  mutant('operation-finds-nothing', 'An operation returns nothing.', () => ({ operationResult: () => [] })),
  mutant('operation-loses-last', 'An operation omits its last result.', () => ({
    operationResult: rows => rows.slice(0, Math.max(0, rows.length - 1)),
  })),
  mutant('operation-finds-one', 'An operation returns one result at most.', () => ({
    operationResult: rows => rows.slice(0, 1),
  })),
  mutant('bounds-exchanged', 'The two bounds of a time window are exchanged.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) => {
      const values = [...parameters.values()].reverse()
      const exchanged = [...parameters.keys()].map((name, index) => [name, values[index] ?? null] as const)
      return correct.satisfiesFilter(row, filter, parameters.size === 2 ? new Map(exchanged) : parameters, at)
    },
  })),
  mutant('window-two-hours-late', 'A time window begins and ends two hours late.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) => {
      const late = [...parameters].map(([name, value]) => [name, movedBy(value, () => 7_200_000)] as const)
      return correct.satisfiesFilter(row, filter, new Map(late), at)
    },
  })),
  mutant('window-of-whole-days', 'A time window is extended to whole days.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) => {
      const days = [...parameters].map(([name, value], index) => {
        return [name, movedBy(value, time => (index === 0 ? 0 : day - 1) - (time % day))] as const
      })
      return correct.satisfiesFilter(row, filter, new Map(days), at)
    },
  })),
  mutant('window-of-five-years', 'A time window ends five years after it begins.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) => {
      const [first, ...others] = [...parameters]
      const ended =
        first === undefined ? [] : others.map(([name]) => [name, movedBy(first[1], () => 1826 * day)] as const)
      return correct.satisfiesFilter(row, filter, new Map(first === undefined ? [] : [first, ...ended]), at)
    },
  })),
  mutant('membership-of-all', 'Every item of the type counts as related.', () => ({
    traverse: (_start, relation, _transitive, at) => [...at.store.entities].filter(row => row.type === relation.type),
  })),
  mutant('first-bound-ignored', 'The first of two bounds has no effect.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) =>
      filter.kind === 'binary' && filter.operator === 'and'
        ? correct.satisfiesFilter(row, filter.right, parameters, at)
        : correct.satisfiesFilter(row, filter, parameters, at),
  })),
  mutant('second-bound-ignored', 'The second of two bounds has no effect.', correct => ({
    satisfiesFilter: (row, filter, parameters, at) =>
      filter.kind === 'binary' && filter.operator === 'and'
        ? correct.satisfiesFilter(row, filter.left, parameters, at)
        : correct.satisfiesFilter(row, filter, parameters, at),
  })),
  mutant('missing-parameter-accepted', 'A call without its parameters is answered.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.invalidParameter
        ? { status: 200, headers: {}, json: { value: [] } }
        : correct.error(error, message, at),
  })),
  mutant('missing-parameter-crashes', 'A call without its parameters causes an internal error.', correct => ({
    error: (error, message, at) =>
      correct.error(
        error === at.service.faults.invalidParameter ? at.service.faults.internalError : error,
        message,
        at,
      ),
  })),
  mutant('results-in-another-envelope', 'The results of an operation are in `results` instead of `value`.', () =>
    changeBody(({ value, ...body }, at) =>
      at.endpoint?.kind === 'call' && value !== undefined
        ? { ...body, results: value }
        : { ...body, ...(value === undefined ? {} : { value }) },
    ),
  ),
  mutant('results-are-objects', 'An operation returns objects instead of identifiers.', () =>
    changeBody((body, at) => {
      const { value } = body
      const isIt = at.endpoint?.kind === 'call' && at.endpoint.operation.meaning?.value !== undefined
      return isIt && Array.isArray(value) ? { ...body, value: value.map(id => ({ id })) } : body
    }),
  ),
  libraryMutant('closure-is-direct', 'A transitive relation is followed only one step.', correct => ({
    traverse: (start, relation, _transitive, at) => correct.traverse(start, relation, false, at),
  })),
  libraryMutant('operation-unordered', 'The results of an operation are not in the declared order.', () => ({
    operationResult: rows => [...rows].reverse(),
  })),
  mutant('function-parameter-optional', 'A function needs only its first parameter.', correct => ({
    reply: (reply, at) =>
      /\/reminderView\(startDateTime='[^']*'\)$/.test(at.request.path)
        ? { status: 200, headers: {}, json: { value: [] } }
        : correct.reply(reply, at),
  })),
]
