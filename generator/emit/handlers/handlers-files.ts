import type { Service } from '../../../spec/language/model/index.js'
import { fileName } from '../../names/file-name.js'
import type { NameTable } from '../../names/name-table.js'
import { typeExports } from '../../names/type-exports.js'
import { scope } from '../../text/scope.js'
import { serverNames } from '../server/server-names.js'
import { operationStubs, resourceStubs } from './handler-stubs.js'
import type { HandlersFile } from './handlers-file.js'

/** Names that the folder of handlers needs itself. */
const reservedFiles = ['index', 'context']

/** Names that the files of handlers use beside the constants that they export. */
const reservedConstants = ['handlers']

/** The files of a service's handlers: one a resource, and one for the operations that belong to none. */
export function handlersFiles(service: Service, names: NameTable): readonly HandlersFile[] {
  const types = serverNames(names, typeExports(service, names))
  const files = scope(reservedFiles)
  const constants = scope([...reservedConstants, types.notImplemented])
  const path = (name: string): string => `handlers/${files.claim(fileName(name), '-')}.ts`
  const resources: readonly HandlersFile[] = names.resources.children.map(node => ({
    path: path(node.name),
    stubs: resourceStubs(node, constants.claim(node.constant, '_')),
    holds: { kind: 'resource', name: node.name },
    type: { name: types.handlersOf(node) },
  }))
  const { endpoints } = names.resources
  if (endpoints.length === 0) return resources
  return [
    ...resources,
    {
      path: path('operations'),
      stubs: { name: constants.claim('operations', '_'), members: operationStubs(endpoints) },
      holds: { kind: 'operations' },
      type: { name: types.handlersOf(names.resources), members: endpoints.map(({ name }) => name) },
    },
  ]
}
