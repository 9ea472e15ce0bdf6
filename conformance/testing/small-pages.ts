import { readFileSync } from 'node:fs'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import type { SpecName } from './rule-bench.js'

/** A described service of the repository whose pages are small against its collections: `$top` is twice a page at most. */
export function smallPages(name: SpecName, size: number): Service {
  const text = readFileSync(new URL(`../../spec/${name}.yaml`, import.meta.url), 'utf8')
  const { service } = loadSpecText(
    text.replaceAll(/default: \d+, max: \d+/g, `default: ${size}, max: ${size * 2}`),
    name,
  )
  if (service === undefined) throw new Error(`The spec ${name} has errors.`)
  return service
}
