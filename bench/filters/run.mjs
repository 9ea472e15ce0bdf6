/**
 * Holds filter parsers against the corpus of `runtime/query/corpus`, then races each peer on the filters that both it
 * and Specwright get right, and writes `results/filters.md`.
 *
 * `node filters/run.mjs [--details]`; `--details` also lists every filter that a parser got wrong or refused.
 */
import { parseArgs } from 'node:util'
import { filters as corpus } from '../../dist/runtime/query/corpus/filters.js'
import { conditions, publish, table } from '../report.mjs'
import { judge } from './judge.mjs'
import { balenaOdataParser } from './peers/balena-odata-parser.mjs'
import { odataFilterToAst } from './peers/odata-filter-to-ast.mjs'
import { odataParser } from './peers/odata-parser.mjs'
import { odataSequelize } from './peers/odata-sequelize.mjs'
import { odataV4Parsers } from './peers/odata-v4-parser.mjs'
import { sapCds } from './peers/sap-cds.mjs'
import { specwright } from './specwright.mjs'
import { parsesPerSecond } from './speed.mjs'

const { values } = parseArgs({ options: { details: { type: 'boolean', default: false } } })

const peers = [sapCds, ...odataV4Parsers, balenaOdataParser, odataFilterToAst, odataSequelize, odataParser]
const own = judge(specwright, corpus)
const verdicts = peers.map(peer => ({ parser: peer, ...judge(peer, corpus) }))
const malformed = corpus.reduce((count, filter) => count + filter.malformed.length, 0)

const races = []
for (const { parser, right } of verdicts) {
  const shared = own.right.filter(filter => right.includes(filter))
  const [ours, theirs] = shared.length === 0 ? [0, 0] : await parsesPerSecond([specwright, parser], shared)
  races.push({ parser, shared: shared.length, ours, theirs, ratio: ours / theirs })
}
const fastest = races.filter(race => race.shared > 0).reduce((a, b) => (b.theirs > a.theirs ? b : a))

publish('filters', [
  '# Filter parsers',
  conditions('npm run filters'),
  `The corpus has ${corpus.length} well-formed filters with the tree that each means, and ${malformed} malformed ones. Right: the parser's tree, brought to ours, is that tree. Wrong: accepted with another meaning. Speed: each peer and Specwright in turn over the filters that both get right, so a ratio compares the same work, and the figures of two lines do not compare.`,
  correctness(),
  speed(),
  `The fastest peer is ${fastest.parser.name}; Specwright is **${fastest.ratio.toFixed(1)} times** as fast on the ${fastest.shared} filters which that peer gets right. The least ratio of all is ${Math.min(...races.map(race => race.ratio)).toFixed(1)}.`,
  ...(values.details ? [details()] : []),
])

function correctness() {
  const row = ({ parser, right, wrong, refused, accepted }) => [
    parser.name,
    right.length,
    wrong.length,
    refused.length,
    accepted.length,
  ]
  return table(
    ['parser', `right of ${corpus.length}`, 'wrong', 'refused', `malformed accepted of ${malformed}`],
    [row({ parser: specwright, ...own }), ...verdicts.map(row)],
  )
}

function speed() {
  return table(
    ['peer', 'filters both get right', 'peer: parses/s', 'specwright/query: parses/s', 'ratio'],
    races.map(({ parser, shared, ours, theirs, ratio }) => [
      parser.name,
      shared,
      Math.round(theirs),
      Math.round(ours),
      ratio.toFixed(1),
    ]),
  )
}

function details() {
  return [{ parser: specwright, ...own }, ...verdicts]
    .map(({ parser, wrong, refused, accepted }) =>
      [
        `## ${parser.name}`,
        ...wrong.map(({ text }) => `- wrong: \`${text}\``),
        ...refused.map(({ text }) => `- refused: \`${text}\``),
        ...accepted.map(text => `- malformed, accepted: \`${text}\``),
      ].join('\n'),
    )
    .join('\n\n')
}
