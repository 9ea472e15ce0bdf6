import type { Rule, Watch } from '../../rule/rule.js'
import { harmlessHeaders } from './harmless-headers.js'
import { headAndOptions } from './head-and-options.js'
import { jsonContentType } from './json-content-type.js'
import { versionSegment } from './version-segment.js'

export const protocolRules: readonly (Rule | Watch)[] = [
  jsonContentType,
  versionSegment,
  harmlessHeaders,
  headAndOptions,
]
