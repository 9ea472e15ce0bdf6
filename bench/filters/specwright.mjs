import { parseFilter } from '../../build/runtime/query/index.js'

/** @type {import('./parsers.mjs').Parser} */
export const specwright = {
  name: 'specwright/query',
  prepare: text => text,
  parse: parseFilter,
  tree: tree => tree,
}
