import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const endings = ['.data.yaml', '.data.json', '.data.jsonl']

/**
 * The data that belongs to a spec: what `--data` names, or what stands beside the spec under its name,
 * `service.data.yaml`; undefined: none.
 */
export function dataFileOf(spec: string, given: string | undefined, cwd: string): string | undefined {
  if (given === 'none') return undefined
  if (given !== undefined) return resolve(cwd, given)
  const stem = resolve(cwd, spec).replace(/\.ya?ml$/i, '')
  return endings.map(ending => stem + ending).find(path => existsSync(path))
}
