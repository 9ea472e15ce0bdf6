import type { ResolvedSegment } from '../../../spec/language/model/index.js'

/** What a path stands for, from the container on, as a spec would write it: `me/drive/items/{id}/children`. */
export function resourcePath(resolved: readonly ResolvedSegment[]): string {
  return resolved.reduce((path, segment) => {
    const text = segmentText(segment)
    return path === '' || text.startsWith('(') ? path + text : `${path}/${text}`
  }, '')
}

function segmentText(segment: ResolvedSegment): string {
  switch (segment.kind) {
    case 'entitySet':
    case 'singleton':
      return segment.element.name
    case 'key': {
      const [only] = segment.variables
      if (segment.style === 'segment') return `{${only}}`
      const named = segment.variables.map((variable, index) => `${segment.type.key[index]?.name}={${variable}}`)
      return segment.variables.length === 1 ? `({${only}})` : `(${named.join(',')})`
    }
    case 'navigation':
    case 'property':
      return segment.property.name
    case 'cast':
      return segment.type.qualifiedName
    case 'operation': {
      const given = Object.entries(segment.variables).map(([name, variable]) => `${name}={${variable}}`)
      const name = segment.operation.qualifiedName.slice(segment.operation.qualifiedName.lastIndexOf('.') + 1)
      return segment.operation.kind === 'action' ? name : `${name}(${given.join(',')})`
    }
    case 'count':
      return '$count'
    case 'delta':
      return 'delta'
  }
}
