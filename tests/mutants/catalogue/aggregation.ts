import type { Transformation } from '../../../runtime/query/index.js'
import type { Behaviour } from '../service/behaviour.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('aggregation', 'library')

/** Changes each transformation of `$apply`, those inside groups and parts, too. Undefined: leave it out. */
function changeSteps(change: (step: Transformation) => Transformation | undefined): Pick<Behaviour, 'interpret'> {
  const changed = (steps: readonly Transformation[]): readonly Transformation[] =>
    steps.flatMap(step => {
      const inner =
        step.kind === 'groupby'
          ? { ...step, apply: changed(step.apply) }
          : step.kind === 'concat'
            ? { ...step, branches: step.branches.map(changed) }
            : step
      return change(inner) ?? []
    })
  return {
    interpret: options => (options.apply === undefined ? options : { ...options, apply: changed(options.apply) }),
  }
}

export const aggregationMutants: readonly Mutant[] = [
  mutant('apply-ignored', '$apply has no effect.', () => ({
    interpret: ({ apply: _, ...options }) => options,
  })),
  mutant('average-counts-nulls', 'An average divides by the number of all items.', correct => ({
    aggregate: (method, values, at) => {
      const value = correct.aggregate(method, values, at)
      const present = values.filter(each => each !== null).length
      return method === 'average' && typeof value === 'number' ? (value * present) / values.length : value
    },
  })),
  mutant('sum-of-nothing-is-zero', 'The sum of no values is 0 instead of null.', correct => ({
    aggregate: (method, values, at) => correct.aggregate(method, values, at) ?? (method === 'sum' ? 0 : null),
  })),
  mutant('countdistinct-counts-null', 'countdistinct counts null as a value.', correct => ({
    aggregate: (method, values, at) => {
      const value = correct.aggregate(method, values, at)
      return method === 'countdistinct' && values.includes(null) ? Number(value) + 1 : value
    },
  })),
  mutant('max-is-last', 'max is the value of the last item.', correct => ({
    aggregate: (method, values, at) =>
      method === 'max' ? (values.findLast(value => value !== null) ?? null) : correct.aggregate(method, values, at),
  })),
  mutant('groupby-without-nulls', 'groupby drops the items without a value.', correct => ({
    groups: (rows, keyOf) =>
      correct.groups(rows, keyOf).filter(({ values }) => values.every(([, value]) => value !== null)),
  })),
  mutant('groupby-first-property', 'groupby groups by its first property only.', () =>
    changeSteps(step => (step.kind === 'groupby' ? { ...step, by: step.by.slice(0, 1) } : step)),
  ),
  mutant('rollup-without-subtotals', 'rollup returns the finest groups only.', () =>
    changeSteps(step =>
      step.kind === 'groupby'
        ? {
            ...step,
            by: step.by.flatMap(item =>
              item.kind === 'rollup' ? item.paths.map(path => ({ kind: 'property', path }) as const) : [item],
            ),
          }
        : step,
    ),
  ),
  mutant('apply-filter-dropped', 'The transformation filter has no effect.', () =>
    changeSteps(step => (step.kind === 'filter' ? undefined : step)),
  ),
  mutant('topcount-takes-smallest', 'topcount keeps the smallest values.', () =>
    changeSteps(step => (step.kind === 'ranked' ? { ...step, end: 'bottom' } : step)),
  ),
  mutant('concat-first-only', 'concat returns its first part only.', () =>
    changeSteps(step => (step.kind === 'concat' ? { ...step, branches: step.branches.slice(0, 1) } : step)),
  ),
  mutant('filter-ignored-after-apply', '$filter has no effect on rows.', () => ({
    interpret: options => {
      const { filter: _, ...others } = options
      return options.apply === undefined ? options : others
    },
  })),
  mutant('orderby-ignored-after-apply', '$orderby has no effect on rows.', () => ({
    interpret: options => {
      const { orderby: _, ...others } = options
      return options.apply === undefined ? options : others
    },
  })),
  mutant('compute-ignored', '$compute adds nothing.', () => ({
    interpret: ({ compute: _, ...options }) => options,
  })),
]
