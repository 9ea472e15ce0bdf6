import type { Path } from '../model/service.js'
import { parseTemplate, type TemplateSegment } from '../resolve/path-template.js'
import { unqualified } from '../resolve/resolve-operations.js'
import type { Check } from './check.js'

/** An operation that begins a path does not have the name of an entity set or singleton. */
export const pathStarts: Check = ({ service, report }) => {
  const elements = new Map(service.container.map(element => [element.name, element]))
  for (const operation of service.operations) {
    const element = operation.binding === undefined ? elements.get(unqualified(operation.qualifiedName)) : undefined
    if (element === undefined) continue
    const message = `A path that begins with "${operation.name}" could mean this ${operation.kind} or the ${element.kind === 'entitySet' ? 'entity set' : 'singleton'}. Rename one.`
    const related = [{ message: 'the other one', at: element.location.pointer, on: 'key' as const }]
    report({ code: 'spec/duplicate-path-start', message, at: operation.location.pointer, on: 'key', related })
  }
}

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
