/**
 * Runs filter parsers over the corpus of `runtime/query/testing/filter-corpus.ts`, then races each peer on the filters that both it
 * and Specwright get right, and writes `results/filters.md`.
 *
 * `node filters/run.mjs [--details]`. `--details` also prints every filter that a parser got wrong.
 */
import { parseArgs } from 'node:util'
import { conditions, publish, table } from '../report.mjs'
import { trials } from './corpus.mjs'
import { parsers } from './parsers.mjs'
import { score } from './score.mjs'
import { parsesPerSecond } from './speed.mjs'

const { values } = parseArgs({ options: { details: { type: 'boolean', default: false } } })

const verdicts = []
for (const parser of parsers) verdicts.push({ parser, outcomes: await score(parser) })
const [own, ...rivals] = verdicts
const wellFormed = trials.filter(trial => trial.tree !== undefined).length

const races = []
for (const { parser, outcomes } of rivals) {
  const shared = trials.filter((_, index) => outcomes[index] === 'right' && own.outcomes[index] === 'right')
  if (shared.length === 0) continue
  const [ours, theirs] = await parsesPerSecond([own.parser, parser], shared)
  races.push({ parser, shared: shared.length, ours, theirs, ratio: ours / theirs })
}
const fastest = races.reduce((a, b) => (b.theirs > a.theirs ? b : a))
const closest = races.reduce((a, b) => (b.ratio < a.ratio ? b : a))

publish('filters', [
  '# Filter parsers',
  conditions('npm run filters'),
  `The corpus has ${wellFormed} well-formed filters, each with its syntax tree, and ${trials.length - wellFormed} malformed ones. Right: the parser's tree, converted to ours, equals that tree. Wrong: the parser accepts the filter with another meaning. Hung: no answer within three seconds.`,
  correctness(),
  'Speed: each peer and Specwright in turn over the filters that both get right. A ratio compares the same filters, but two lines have different ones.',
  speed(),
  `The fastest peer is ${fastest.parser.name}: Specwright is **${fastest.ratio.toFixed(1)} times** as fast on the ${fastest.shared} filters that this peer gets right. The smallest ratio is ${closest.ratio.toFixed(1)}, to ${closest.parser.name}.`,
])
if (values.details) console.log(verdicts.map(details).join('\n\n'))

function correctness() {
  const row = ({ parser, outcomes }) => {
    const count = (outcome, from, to) => outcomes.slice(from, to).filter(found => found === outcome).length
    const valid = outcome => count(outcome, 0, wellFormed)
    const malformed = outcome => count(outcome, wellFormed, trials.length)
    return [parser.name, valid('right'), valid('wrong'), valid('refused'), malformed('accepted'), count('hung')]
  }
  const columns = [`right of ${wellFormed}`, 'wrong', 'refused', `malformed accepted of ${trials.length - wellFormed}`]
  return table(['parser', ...columns, 'hung'], verdicts.map(row))
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

function details({ parser, outcomes }) {
  const missed = trials.flatMap(({ text, tree }, index) => {
    const fine = tree === undefined ? 'refused' : 'right'
    return outcomes[index] === fine
      ? []
      : [`- ${outcomes[index]}${tree === undefined ? ', malformed' : ''}: \`${text}\``]
  })
  return [`## ${parser.name}`, ...missed].join('\n')
}
