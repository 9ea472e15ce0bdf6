import type { QueryOptions } from '../ast.js'
import type { TypeTable } from '../schema.js'
import { bindCompute } from './bind-compute.js'
import { bindExpand } from './bind-expand.js'
import { bindNode } from './bind-expression.js'
import { bindOrderby } from './bind-orderby.js'
import { bindSelect } from './bind-select.js'
import type { BindingError } from './binding-error.js'
import type { BindingScope } from './binding-scope.js'
import { checkBoolean } from './check-boolean.js'
import { expandedSize } from './expanded-size.js'
import { expressionsIn } from './expressions-in.js'
import { type Frame, report } from './frame.js'
import { queryFrame } from './query-frame.js'

/** A query of more nodes, each alias replaced by its value, is refused: what the longest URL can hold without aliases. */
export const maxQuerySize = 20_000

/**
 * What does not fit when a parsed query is put to items of a type: names that the type lacks, operands that do not go
 * together, relations where values are needed. Empty when all fits. Never throws.
 *
 * @param typeName a name of the type table, or `Edm.String` and so on for a collection of primitive values
 * @see OData URL Conventions 4.01, 5.1
 */
export function bindQuery(
  options: QueryOptions,
  types: TypeTable,
  typeName: string,
  scope: BindingScope = {},
): readonly BindingError[] {
  const frame = queryFrame(types, typeName, scope, options.aliases ?? {})
  if (options.levels !== undefined) {
    report({ ...frame, option: '$levels' }, 'notApplicable', "'$levels' may only stand inside '$expand'.")
  }
  const sizes = new Map<string, number>()
  const size = expressionsIn(options).reduce((sum, each) => sum + expandedSize(each, frame.aliases, sizes), 0)
  if (size > maxQuerySize) {
    report(frame, 'tooComplex', `The query has more than ${maxQuerySize} terms, aliases replaced. Write a smaller one.`)
  } else {
    bindOptions(options, frame)
  }
  return frame.run.errors
}

/** Binds the options of a request, or those nested in an item of `$expand` or `$select`. */
export function bindOptions(options: QueryOptions, frame: Frame): void {
  const { filter, orderby, select, expand, compute } = options
  let inner = frame
  if (compute !== undefined) inner = { ...frame, computed: bindCompute(compute, { ...frame, option: '$compute' }) }
  if (filter !== undefined) {
    const at = { ...inner, option: '$filter' }
    checkBoolean(bindNode(filter, at), 'The condition of $filter', at)
  }
  if (orderby !== undefined) bindOrderby(orderby, { ...inner, option: '$orderby' })
  if (select !== undefined) bindSelect(select, { ...inner, option: '$select' })
  if (expand !== undefined) bindExpand(expand, { ...inner, option: '$expand' })
}
