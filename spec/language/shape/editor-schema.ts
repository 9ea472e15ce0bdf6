import type { Schema } from './schema.js'
import { isSchema, wholeSchema } from './schema.js'

/** What a spec declares and other parts of it name. */
type Declared =
  | 'types'
  | 'entityTypes'
  | 'complexTypes'
  | 'container'
  | 'queryOptions'
  | 'operations'
  | 'preferences'
  | 'errors'
  | 'scopes'
  | 'open'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const ofMethods = (member: string): readonly string[] => methods.map(method => `${method}/properties/${member}`)
const ofFaults = (faults: Schema): readonly string[] => Object.keys(faults).map(fault => `faults/properties/${fault}`)

/** Where a spec refers to a name: JSON Pointers below `#/$defs/`. */
const references = (faults: Schema): Readonly<Record<Declared, readonly string[]>> => ({
  types: ['property/properties/type', 'parameter/properties/type', 'returnType/properties/type'],
  entityTypes: [
    'entityType/properties/base',
    'navigation/properties/to',
    'containerElement/properties/entitySet',
    'containerElement/properties/singleton',
    'post/properties/creates',
    'put/properties/updates',
    'patch/properties/updates',
    'delete/properties/deletes',
    'operation/properties/binding',
  ],
  complexTypes: ['complexType/properties/base'],
  container: ['containerElement/properties/bindings/additionalProperties'],
  queryOptions: ['get/properties/query'],
  operations: ['get/properties/calls', 'post/properties/calls'],
  preferences: ofMethods('prefer/items'),
  errors: [
    'authentication/properties/missing',
    'authentication/properties/insufficient',
    'condition/properties/otherwise',
    ...ofMethods('errors/items'),
    ...ofFaults(faults),
  ],
  scopes: [...ofMethods('scopes/items'), 'expand/properties/scopes/additionalProperties/items'],
  open: ['condition/properties/open', 'clause/properties/open'],
})

/** The comment in a schema that {@link editorSchema} wrote, so that it can be recognized and replaced. */
export const editorSchemaMark = 'Written by specwright schema. Changes made here are lost.'

/**
 * The JSON Schema of the language for an editor: where a spec refers to a name, its examples include those that this spec
 * declares, and an editor offers them. Any other name stays valid, because the spec may have changed since.
 *
 * @param document a spec, which may have errors; absent: the schema of the language alone
 */
export function editorSchema(document?: unknown): Schema {
  const schema = wholeSchema()
  const declared = declaredNames(document)
  const names = new Map<string, readonly string[]>()
  for (const [kind, pointers] of Object.entries(references(partAt(schema, ['$defs', 'faults', 'properties'])))) {
    for (const pointer of pointers) names.set(`/$defs/${pointer}`, declared[kind] ?? [])
  }
  const { $schema, $id: _, ...rest } = schema
  return { $schema, $comment: editorSchemaMark, ...withExamples(rest, names) }
}

/** The names that a spec declares, by what they name. */
function declaredNames(document: unknown): Readonly<Record<string, readonly string[]>> {
  const names = (...path: readonly string[]): readonly string[] =>
    Object.keys(partAt(document, path)).filter(name => name !== '$include')
  const types = names('resources')
  const ofKind = (kind: string): readonly string[] =>
    types.filter(name => partAt(document, ['resources', name])['kind'] === kind)
  const chapters = ['container', 'queryOptions', 'operations', 'preferences', 'errors', 'open']
  return {
    ...Object.fromEntries(chapters.map(chapter => [chapter, names(chapter)])),
    types,
    entityTypes: ofKind('entityType'),
    complexTypes: ofKind('complexType'),
    scopes: names('authentication', 'scopes'),
  }
}

/** The mapping at a path; empty if there is none. */
function partAt(root: unknown, path: readonly string[]): Schema {
  let part = root
  for (const key of path) part = isSchema(part) && Object.hasOwn(part, key) ? part[key] : undefined
  return isSchema(part) ? part : {}
}

/** The schema, with the names as the first examples of the parts at their pointers. */
function withExamples(schema: Schema, names: ReadonlyMap<string, readonly string[]>): Schema {
  const visit = (part: unknown, pointer: string): unknown => {
    if (Array.isArray(part)) return part.map((each, index) => visit(each, `${pointer}/${index}`))
    if (!isSchema(part)) return part
    const members = Object.entries(part).map(([key, value]) => [key, visit(value, `${pointer}/${key}`)] as const)
    const offered = names.get(pointer) ?? []
    const examples = Array.isArray(part['examples']) ? part['examples'] : []
    return Object.fromEntries(
      offered.length === 0 ? members : [...members, ['examples', [...new Set([...offered, ...examples])]]],
    )
  }
  return partAt(visit(schema, ''), [])
}
