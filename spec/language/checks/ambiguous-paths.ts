import type { Path } from '../model/service.js'
import { parseTemplate, type TemplateSegment } from '../resolve/path-template.js'
import type { Check } from './check.js'

/** The URLs that a template matches: keys and parameters may have any value, and a key any of its two styles. */
function shapeOf(segment: TemplateSegment): string {
  if (segment.kind === 'variable') return '{}'
  if (segment.kind !== 'name') return `$${segment.kind}`
  if (segment.arguments === undefined) return segment.name
  if (segment.arguments.kind === 'single') return `${segment.name}/{}`
  const names = [...segment.arguments.variables.keys()]
  return names.length === 0 ? segment.name : `${segment.name}(${names.sort().join(',')})`
}

/** No two paths match the same URL. */
export const ambiguousPaths: Check = ({ service, report }) => {
  const first = new Map<string, Path>()
  for (const path of service.paths) {
    const segments = parseTemplate(path.template)
    if ('message' in segments) continue
    const shape = segments.map(shapeOf).join('/')
    const other = first.get(shape)
    if (other === undefined) {
      first.set(shape, path)
      continue
    }
    const message = `"${path.template}" matches the same URLs as "${other.template}". Put their endpoints under one path.`
    const related = [{ message: 'the other path', at: other.location.pointer, on: 'key' as const }]
    report({ code: 'spec/ambiguous-path', message, at: path.location.pointer, on: 'key', related })
  }
}
