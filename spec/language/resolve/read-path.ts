import type { PathDocument } from '../document.js'
import { parseTemplate, type TemplateSegment } from './path-template.js'
import type { Resolution } from './resolution.js'
import { type PathElements, type PathTarget, type ResolvedPath, resolvePath } from './resolve-path.js'

/** A path, as written and as resolved. */
export interface ReadPath {
  readonly template: readonly TemplateSegment[]
  readonly resolved: ResolvedPath
}

/** Reads and resolves a path; one that resolves to nothing is reported. */
export function readPath(
  resolution: Resolution,
  template: string,
  document: PathDocument,
  pointer: string,
  elements: PathElements,
): ReadPath | undefined {
  const written = parseTemplate(template)
  if ('message' in written) {
    resolution.report({ code: 'spec/path-syntax', message: written.message, at: pointer, on: 'key' })
    return undefined
  }
  const at = document.resource === undefined ? ({ at: pointer, on: 'key' } as const) : { at: `${pointer}/resource` }
  const way = document.resource === undefined ? written : parseTemplate(document.resource)
  if ('message' in way) {
    resolution.report({ code: 'spec/path-syntax', message: way.message, ...at })
    return undefined
  }
  if (document.resource !== undefined) {
    const [inTemplate, inResource] = [variablesOf(written), variablesOf(way)]
    const only =
      inTemplate.find(name => !inResource.includes(name)) ?? inResource.find(name => !inTemplate.includes(name))
    if (only !== undefined) {
      const message = `"{${only}}" must be both in the path and in its \`resource\`.`
      resolution.report({ code: 'spec/path-variables', message, ...at })
      return undefined
    }
  }
  const resolved = resolvePath(way, elements)
  if ('message' in resolved) {
    const { message, suggestion, missing = [] } = resolved
    if (!missing.some(resolution.isIncomplete)) {
      resolution.report({ code: 'spec/unresolved-path', message, ...at, suggestion })
    }
    return undefined
  }
  return { template: written, resolved }
}

function variablesOf(template: readonly TemplateSegment[]): readonly string[] {
  return template.flatMap(segment => {
    if (segment.kind === 'variable') return [segment.variable]
    if (segment.kind !== 'name' || segment.arguments === undefined) return []
    return segment.arguments.kind === 'single'
      ? [segment.arguments.variable]
      : [...segment.arguments.variables.values()]
  })
}

/** Where a path leads, in words. */
export function describeTarget(target: PathTarget): string {
  switch (target.kind) {
    case 'items':
      return `a collection of "${target.type.name}"`
    case 'item':
      return `one "${target.type.name}"`
    case 'value':
      return `${target.collection ? 'a collection of values' : 'a value'} of "${target.type.name}"`
    case 'stream':
      return target.property === undefined ? 'a media stream' : `the stream "${target.property.name}"`
    case 'count':
      return 'a count'
    case 'delta':
      return `the changes of "${target.type.name}"`
    case 'operation':
      return `the ${target.operation.kind} "${target.operation.name}"`
  }
}
