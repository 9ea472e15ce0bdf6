import type { QueryOptions } from '../ast.js'

/** The system query options, without `$`. @see OData 4.01 URL Conventions, 5.1 */
export type OptionName = Exclude<keyof QueryOptions, 'aliases'>

export const optionNames: readonly OptionName[] = [
  'filter',
  'orderby',
  'select',
  'expand',
  'search',
  'compute',
  'top',
  'skip',
  'count',
  'levels',
  'format',
  'skiptoken',
  'deltatoken',
]

const byName: ReadonlyMap<string, OptionName> = new Map(optionNames.map(name => [name, name]))

/** The option that a name, without `$` and in any letter case, stands for. */
export function optionNamed(name: string): OptionName | undefined {
  return byName.get(name) ?? byName.get(name.toLowerCase())
}
