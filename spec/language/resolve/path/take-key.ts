import { typeLine } from '../../model/type-line.js'
import type { TemplateArguments } from './path-template.js'
import { type PathFault, type PathWalk, takeVariable } from './path-walk.js'

/** Takes the key of one item of a collection. @see OData URL Conventions 4.01, 4.3 */
export function takeKey(
  walk: PathWalk,
  given: TemplateArguments,
  style: 'segment' | 'parentheses',
): PathFault | undefined {
  const { position, segments } = walk
  if (position === undefined) return { message: 'A key cannot begin a path; an entity set or a singleton does.' }
  const { type, collection } = position
  if (type.kind !== 'entityType' || !collection) {
    const what = type.kind === 'entityType' ? `one "${type.name}"` : `values of "${type.name}"`
    return { message: `A key chooses one item of a collection; it cannot follow ${what}.` }
  }
  const names = type.key.map(property => property.name)
  const inParentheses = `(${names.map(name => `${name}={${name}}`).join(',')})`
  const missing = typeLine(type).flatMap(({ place }) =>
    ['key', 'properties', 'base'].map(part => `${place.pointer}/${part}`),
  )
  if (names.length === 0) return { message: `"${type.name}" has no key.`, missing }
  if (given.kind === 'single' && names.length > 1) {
    return { message: `The key of "${type.name}" has ${names.length} parts; write \`${inParentheses}\`.` }
  }
  const variables = names.flatMap(name =>
    given.kind === 'single' ? given.variable : (given.variables.get(name) ?? []),
  )
  if (given.kind === 'named' && (given.variables.size !== names.length || variables.length !== names.length)) {
    return { message: `The key of "${type.name}" is ${names.join(', ')}; write \`${inParentheses}\`.`, missing }
  }
  for (const [index, property] of type.key.entries()) {
    const variable = variables[index] ?? property.name
    const fault = takeVariable(walk, variable)
    if (fault) return fault
    walk.keys.push({ variable, property, type, segment: segments.length })
  }
  segments.push({ kind: 'key', type, variables, style })
  walk.position = { ...position, collection: false }
  return undefined
}
