import type { ResourceDocument } from '../../../spec/language/index.js'

type Resources = Readonly<Record<string, ResourceDocument>>

/** A type and its bases, the nearest first. */
export function lineOf(resources: Resources, type: string): readonly string[] {
  const line: string[] = []
  for (let each: string | undefined = type; each !== undefined && !line.includes(each); ) {
    line.push(each)
    const resource: ResourceDocument | undefined = resources[each]
    each = resource !== undefined && 'base' in resource ? resource.base : undefined
  }
  return line
}
