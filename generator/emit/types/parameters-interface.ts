import type { Operation } from '../../../spec/language/model/index.js'
import type { NameTable } from '../../names/name-table.js'
import { operationIdentifier } from '../../names/operation-identifier.js'
import { propertyName } from '../../names/property-name.js'
import { annotatedDocs } from '../annotated-docs.js'
import { facetNotes } from './facet-notes.js'
import type { InterfaceView } from './types-view.js'
import { valueTypeText } from './value-type-text.js'

/** What an operation is called with. */
export function parametersInterface(names: NameTable, operation: Operation): InterfaceView {
  return {
    docs: [`Parameters of ${operation.name}.`, ...annotatedDocs(operation)],
    name: `${operationIdentifier(operation)}Parameters`,
    extends: '',
    members: operation.parameters.map(parameter => {
      const format = parameter.format === undefined ? [] : [formats[parameter.format]]
      return {
        docs: annotatedDocs(parameter, [...format, ...facetNotes(parameter.type, parameter)]),
        key: propertyName(parameter.name),
        optional: parameter.optional ? '?' : '',
        type: valueTypeText(names, parameter, 'create', name => name) + (parameter.optional ? ' | undefined' : ''),
      }
    }),
  }
}

const formats = {
  dateTimeOffset: 'A timestamp, ISO 8601.',
  date: 'A date, ISO 8601.',
  guid: 'A GUID.',
} as const
