import type { Service } from '../../spec/language/model/index.js'
import { checkNames } from './check-names.js'
import { typeIdentifier } from './identifier.js'
import type { NameProblem } from './name-problem.js'
import type { NamedType, NameTable } from './name-table.js'
import { namedTypes } from './named-types.js'
import { resourceTree } from './resource-tree.js'

/** Decides every name; what cannot be named, or clashes, is a problem that names both places. */
export function decideNames(service: Service): {
  readonly names: NameTable
  readonly problems: readonly NameProblem[]
} {
  const types = new Map<NamedType, string>()
  for (const type of namedTypes(service)) types.set(type, typeIdentifier(type.name))
  const names: NameTable = {
    service: typeIdentifier(service.name),
    types,
    resources: resourceTree(service.endpoints),
  }
  return { names, problems: checkNames(service, names) }
}
