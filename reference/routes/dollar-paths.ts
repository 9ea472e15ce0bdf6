import type { ServiceTable } from '../../runtime/server/index.js'

/** The paths of a resource whose name begins with a dollar sign, which some clients encode. */
export function dollarPaths({ version }: ServiceTable, name: string): readonly string[] {
  return ['$', '%24'].map(dollar => `/${version}/${dollar}${name}`)
}
