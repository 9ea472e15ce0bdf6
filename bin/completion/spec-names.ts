import { join } from 'node:path'
import type { Service } from '../../spec/language/index.js'
import { packageRoot } from '../package-root.js'
import type { NamedOnLine } from './value.js'

/** The profiles of the spec on the line. */
export async function profileNames(named: NamedOnLine): Promise<readonly string[]> {
  return (await serviceOf(named))?.profiles.map(({ name }) => name) ?? []
}

/** What `seed --rows` can make an exception for in the spec on the line. */
export async function seededNames(named: NamedOnLine): Promise<readonly string[]> {
  const service = await serviceOf(named)
  if (service === undefined) return []
  const { namesOfRows } = await import('../../reference/data/seed/seed-rows.js')
  return namesOfRows(service)
}

/** Undefined for a spec that is missing or has errors: then there is nothing to offer. */
async function serviceOf({ spec }: NamedOnLine): Promise<Service | undefined> {
  const { loadSpec } = await import('../../spec/language/index.js')
  return (await loadSpec(spec ?? join(packageRoot(), 'spec', 'directory.yaml'))).service
}
