import type { TemplateSegment } from './path/path-template.js'

/**
 * The name of an endpoint in code: the names in its path, joined by dots, and what it does; an operation is what it does.
 *
 * @param template the path, as written
 * @param verb `list`, `get`, …; absent when the path ends in an operation
 */
export function endpointName(template: readonly TemplateSegment[], verb: string | undefined): string {
  const names = template.flatMap(segment =>
    segment.kind === 'name' ? [segment.name.slice(segment.name.lastIndexOf('.') + 1)] : [],
  )
  if (verb === 'delta' && names.at(-1) === 'delta') names.pop()
  if (verb !== undefined) names.push(verb)
  return names.join('.')
}
