import type { Argument, Option } from 'commander'
import { artefactNames } from '../../generator/artefact-name.js'
import { profileNames, seededNames } from './spec-names.js'
import type { Value } from './value.js'

/**
 * What may stand for an argument or behind an option, by the choices that it declares or by what it is called in the help:
 * `--out <folder>`. Undefined for a name that nobody decided about.
 */
export function valueFor(of: Option | Argument): Value | undefined {
  const { argChoices } = of
  if (argChoices !== undefined) return { kind: 'words', words: () => argChoices }
  return Object.hasOwn(values, placeholderOf(of)) ? values[placeholderOf(of)] : undefined
}

/** `folder` of `--out <folder>`, `spec` of `[spec...]`. */
export function placeholderOf(of: Option | Argument): string {
  if ('flags' in of) return /[<[]([^\]>.]+)/.exec(of.flags)?.[1] ?? ''
  return of.name()
}

const free: Value = { kind: 'free' }

const files = (...endings: readonly string[]): Value => ({ kind: 'paths', paths: { kind: 'files', endings } })

const folders: Value = { kind: 'paths', paths: { kind: 'folders' } }

const ruleNames = async (): Promise<readonly string[]> =>
  (await import('../../conformance/index.js')).rules.map(({ id }) => id)

const rulesAndAreas = async (): Promise<readonly string[]> => {
  const { areas } = await import('../../conformance/index.js')
  return [...areas, ...(await ruleNames())]
}

const values: Readonly<Record<string, Value>> = {
  address: { kind: 'store' },
  artefacts: { kind: 'list', words: () => artefactNames },
  data: { kind: 'paths', paths: { kind: 'files', endings: ['yaml', 'yml', 'json', 'jsonl'] }, words: ['none'] },
  file: files(),
  folder: folders,
  journal: files('jsonl'),
  metadata: { kind: 'paths', paths: { kind: 'files', endings: ['xml', 'json'] }, words: ['-'] },
  numbers: { kind: 'rows', words: seededNames },
  path: folders,
  profile: { kind: 'words', words: profileNames },
  report: files('html', 'xml', 'json', 'sarif', 'txt'),
  rule: { kind: 'words', words: ruleNames },
  rules: { kind: 'list', words: rulesAndAreas },
  spec: files('yaml', 'yml'),
  ...Object.fromEntries(
    [
      'header',
      'host',
      'id',
      'line',
      'name',
      'number',
      'origin',
      'rate',
      'secret',
      'seconds',
      'text',
      'token',
      'url',
    ].map(name => [name, free]),
  ),
}
