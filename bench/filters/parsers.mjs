import { balenaOdataParser } from './peers/balena-odata-parser.mjs'
import { odataFilterToAst } from './peers/odata-filter-to-ast.mjs'
import { odataParser } from './peers/odata-parser.mjs'
import { odataSequelize } from './peers/odata-sequelize.mjs'
import { odataV4Parsers } from './peers/odata-v4-parser.mjs'
import { sapCds } from './peers/sap-cds.mjs'
import { specwright } from './specwright.mjs'

/**
 * A filter parser under measurement.
 *
 * @typedef {object} Parser
 * @property {string} name
 * @property {(text: string) => string} prepare what `parse` has to be given for a filter; not timed
 * @property {(input: string) => unknown} parse the parser's own call, and nothing else: this is what is timed
 * @property {(result: unknown) => import('./tree.mjs').Expression} tree its tree as ours; not timed
 * @property {(tree: import('./tree.mjs').Expression) => import('./tree.mjs').Expression} [expected] the expected tree in
 *   a form that means the same and that the parser's own tree can state
 */

/** Specwright first. @type {readonly Parser[]} */
export const parsers = [
  specwright,
  sapCds,
  ...odataV4Parsers,
  balenaOdataParser,
  odataFilterToAst,
  odataSequelize,
  odataParser,
]
