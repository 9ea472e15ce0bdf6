import type { PathDocument, SpecDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import { memberOf, recordsOf, textOf } from '../annotations/value.js'
import type { ImportContext } from '../types/import-context.js'
import { addImport } from './call-paths.js'
import type { Derivation, Imported, PathLimits, Position } from './derivation.js'
import { endpointTree } from './endpoint-tree.js'
import { queryTable } from './query-table.js'
import { collection, item } from './resource-paths.js'
import type { Source } from './restrictions.js'
import { typeMembers } from './type-members.js'

/**
 * The paths that a service of OData 4 has, as far as its metadata does not restrict them: for each entity set and singleton,
 * and for the relations from there on that are contained.
 *
 * @see OData 4.01 Protocol, 11; Capabilities vocabulary
 */
export function derivePaths(
  context: ImportContext,
  imported: Imported,
  limits: PathLimits,
): Pick<SpecDocument, 'paths' | 'queryOptions'> & { readonly scopes: readonly string[] } {
  const tree = endpointTree()
  const derivation: Derivation = {
    context,
    members: typeMembers(context, imported.resources, imported.operations),
    queries: queryTable(),
    paths: new Map(),
    scopes: new Set(),
    ...limits,
    isStructured: type => /^(?:entity|complex)Type$/.test(imported.resources[type]?.kind ?? ''),
    endpoint: tree.endpoint,
    below: tree.below,
  }
  for (const [name, { document, said }] of imported.container) {
    const source: Source = term => said(`Capabilities.${term}`)
    const type = document.entitySet ?? document.singleton ?? ''
    const start: Position = {
      path: `/${name}`,
      variables: [],
      node: tree.below(tree.root, name),
      type,
      trail: [],
      restricted: restrictedRelations(source),
      sources: [source, derivation.members(type).source],
    }
    if (document.entitySet === undefined) item(derivation, start, 'singleton')
    else collection(derivation, start, true)
  }
  for (const [name, qualifiedName] of imported.imports) addImport(derivation, imported, name, qualifiedName, tree.root)
  const queryOptions = derivation.queries.all()
  const names = derivation.queries.renamed()
  return {
    paths: record([...derivation.paths].map(([path, document]) => [path, withNames(document, names)] as const)),
    ...(Object.keys(queryOptions).length === 0 ? {} : { queryOptions }),
    scopes: [...derivation.scopes],
  }
}

/** `NavigationRestrictions/RestrictedProperties`, by path. */
function restrictedRelations(source: Source): ReadonlyMap<string, Source> {
  const restricted = new Map<string, Source>()
  for (const each of recordsOf(memberOf(source('NavigationRestrictions'), 'RestrictedProperties'))) {
    const path = textOf(memberOf(each, 'NavigationProperty'))
    if (path === undefined) continue
    restricted.set(path, term =>
      // The navigability of a relation stands there without a record of its own.
      term === 'NavigationRestrictions' ? each : memberOf(each, term),
    )
  }
  return restricted
}

/** A path whose reads name query options as they are called in the end. */
function withNames(document: PathDocument, names: ReadonlyMap<string, string>): PathDocument {
  const query = document.get?.query
  const name = typeof query === 'string' ? names.get(query) : undefined
  return name === undefined ? document : { ...document, get: { ...document.get, query: name } }
}
