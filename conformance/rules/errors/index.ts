import type { Rule, Watch } from '../../rule/rule.js'
import { allowHeader } from './allow-header.js'
import { errorShape } from './error-shape.js'
import { errorStatus } from './error-status.js'
import { itemNotFound } from './item-not-found.js'
import { largeBody } from './large-body.js'
import { malformedBody } from './malformed-body.js'
import { malformedKey } from './malformed-key.js'
import { malformedOption } from './malformed-option.js'
import { methodNotAllowed } from './method-not-allowed.js'
import { noServerError } from './no-server-error.js'
import { pathNotFound } from './path-not-found.js'
import { queryLimits } from './query-limits.js'
import { unknownOption } from './unknown-option.js'
import { unknownProperty } from './unknown-property.js'
import { unsupportedOption } from './unsupported-option.js'
import { wholeBody } from './whole-body.js'

export const errorsRules: readonly (Rule | Watch)[] = [
  errorShape,
  errorStatus,
  noServerError,
  wholeBody,
  allowHeader,
  itemNotFound,
  malformedOption,
  unsupportedOption,
  pathNotFound,
  methodNotAllowed,
  unknownOption,
  unknownProperty,
  malformedBody,
  malformedKey,
  queryLimits,
  largeBody,
]
