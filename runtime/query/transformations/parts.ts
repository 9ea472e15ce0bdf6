import { bindTransformations } from './bind.js'
import { checkTransformations } from './check.js'
import { evaluateTransformations } from './evaluate.js'
import { parseTransformations } from './parse.js'

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
