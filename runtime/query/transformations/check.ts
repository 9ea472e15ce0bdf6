import type { QueryOptions, Transformation } from '../ast.js'
import type {
  ApplyCapabilities,
  Capabilities,
  CheckContext,
  ResolvedPath,
  UnsupportedConstruct,
} from '../capabilities/capabilities.js'
import { anyFilter } from '../capabilities/check-capabilities.js'
import { checkFilter } from '../capabilities/check-filter.js'
import { groupingPaths } from '../traversal.js'
import { type BoundTransformations, bindTransformations } from './bind.js'
import { evaluateTransformations } from './evaluate.js'
import { parseTransformations } from './parse.js'

/**
 * The constructs of `$apply` that an endpoint does not support. Call `bindTransformations` first.
 *
 * @see OData Extension for Data Aggregation 4.0, 5.3 (property restrictions)
 */
function checkTransformations(
  { apply = [], aliases = {} }: Pick<QueryOptions, 'apply' | 'aliases'>,
  { uses }: Pick<BoundTransformations, 'uses'>,
  capabilities: Capabilities,
): readonly UnsupportedConstruct[] {
  const found: UnsupportedConstruct[] = []
  const report: CheckContext['report'] = (_option, construct, message, property) => {
    if (found.some(each => each.construct === construct && each.property === property)) return
    found.push({ option: '$apply', construct, message, ...(property === undefined ? {} : { property }) })
  }
  const supported = capabilities.apply
  if (supported === undefined || supported.support === 'none') {
    report('$apply', 'apply', "The query option '$apply' is not supported here.")
    return found
  }
  for (const step of apply) checkStep(step, supported, report)
  const filter = capabilities.filter.support === 'none' ? anyFilter : capabilities.filter
  for (const { expression, context } of uses) {
    const { current, types, computed } = context
    const here: ResolvedPath = { names: [], typeName: 'name' in current ? current.name : undefined, relationDepth: 0 }
    checkFilter(expression, here, {
      capabilities: { ...capabilities, filter },
      types,
      aliases,
      computed: new Set(computed.keys()),
      outermost: here,
      report,
    })
  }
  return found
}

function checkStep(step: Transformation, supported: ApplyCapabilities, report: CheckContext['report']): void {
  const name = step.kind === 'ranked' ? `${step.end}${step.by}` : step.kind
  const { transformations, rollup, groupable, aggregatable } = supported
  if (!transformations.includes(name)) {
    const others = ` Supported: ${transformations.join(', ')}.`
    report('$apply', `apply.${name}`, `The transformation '${name}' is not supported here.${others}`)
  }
  if (step.kind === 'groupby') {
    if (!rollup && step.by.some(({ kind }) => kind === 'rollup')) {
      report('$apply', 'apply.rollup', "'rollup' is not supported here.")
    }
    for (const path of groupingPaths(step.by)) requireListed('Grouping by', path.join('/'), groupable, report)
    for (const inner of step.apply) checkStep(inner, supported, report)
  }
  if (step.kind === 'aggregate') {
    for (const { expression } of step.aggregate) {
      if (expression?.kind !== 'path') continue
      const names = expression.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
      requireListed('Aggregating', names.join('/'), aggregatable, report)
    }
  }
  if (step.kind === 'concat') for (const inner of step.branches.flat()) checkStep(inner, supported, report)
}

function requireListed(
  sort: string,
  path: string,
  listed: readonly string[] | undefined,
  report: CheckContext['report'],
): void {
  if (listed === undefined || listed.includes(path)) return
  report('$apply', 'apply', `${sort} '${path}' is not supported here. Supported: ${listed.join(', ')}.`, path)
}

/** What the query language needs for `$apply`. Only services that allow it pass this part, so that bundlers leave it out. */
export interface TransformationParts {
  readonly parse: typeof parseTransformations
  readonly bind: typeof bindTransformations
  readonly check: typeof checkTransformations
  readonly evaluate: typeof evaluateTransformations
}

export const transformations: TransformationParts = {
  parse: parseTransformations,
  bind: bindTransformations,
  check: checkTransformations,
  evaluate: evaluateTransformations,
}
