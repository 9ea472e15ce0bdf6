import type { Problem } from '../diagnostics/problem.js'
import type { SpecDocument } from '../document/index.js'
import { languageSchema } from './schema.js'
import { shapeProblem } from './shape-problem.js'
import { isSpecDocument, schemaErrors } from './validate-document.js'
import { without } from './without.js'

/** What the JSON Schema says of a document. */
export interface Shape {
  /** The document without what does not fit, so that the rest can be checked; undefined when nothing is left. */
  readonly document: SpecDocument | undefined
  readonly problems: readonly Problem[]
  /** JSON Pointers of what was left out. */
  readonly leftOut: ReadonlySet<string>
}

/** Leaving out one part can make another wrong (a list that is too short); more rounds than this never help. */
const mostRounds = 8

/** Chapters that every spec has. An absent one is an error; it counts as empty while the rest is checked. */
const emptyChapters: Readonly<Record<string, unknown>> = {
  specwright: 1,
  service: { name: 'unnamed', version: 'v0' },
  resources: {},
  container: {},
  paths: {},
  errors: {},
}

/** Checks the document against the JSON Schema of the language. */
export function checkShape(data: unknown): Shape {
  const leftOut = new Set<string>()
  if (isSpecDocument(data)) return { document: data, problems: [], leftOut }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const message = 'A spec is a mapping that begins with `specwright: 1`.'
    return { document: undefined, problems: [{ code: 'shape/type', message, at: '' }], leftOut }
  }
  const root = languageSchema()
  const problems: Problem[] = []
  let rest: object = data
  for (let round = 0; round < mostRounds; round++) {
    const errors = schemaErrors(rest)
    for (const error of errors) {
      const found = shapeProblem(error, errors, data, root)
      if (found === undefined) continue
      if (round === 0) problems.push(found.problem)
      leftOut.add(found.leaveOut)
    }
    rest = withChapters(without(data, leftOut))
    if (isSpecDocument(rest)) return { document: rest, problems, leftOut }
  }
  return { document: undefined, problems, leftOut }
}

function withChapters(data: object): object {
  return Object.assign(Object.create(null), emptyChapters, data)
}
