import { codeName, functionsInFilters, type Operation, type Service } from '../../../spec/language/index.js'
import { operationIdentifier, valueIdentifier } from '../../names/identifiers.js'
import { propertyName, stringLiteral } from '../../text/literals.js'
import { annotatedDocs } from '../doc-comments.js'
import type { CodeFile } from '../emit-context.js'
import { valueTypeText } from '../types/value-types.js'
import { literalFormatName } from './path-arguments.js'

/** A function of the service that filters can call, as `templates/client.hbs` shows it. */
interface FilterFunctionView {
  readonly docs: readonly string[]
  readonly name: string
  readonly type: string
  readonly value: string
}

/** A constant for each function of the service that filters can call. */
export function filterFunctions(service: Service, file: CodeFile): readonly FilterFunctionView[] {
  return functionsInFilters(service).map(operation => view(operation, file))
}

function view(operation: Operation, file: CodeFile): FilterFunctionView {
  const { qualifiedName, binding, parameters, returns } = operation
  const given = parameters.length === 0 ? 'object' : file.typeReference(`${operationIdentifier(operation)}Parameters`)
  const result =
    returns === undefined
      ? 'unknown'
      : valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference)
  const formats = parameters.flatMap(parameter => {
    const format = literalFormatName(parameter.type, file.names)
    return format === undefined ? [] : [`${propertyName(parameter.name)}: ${file.runtime(format)}`]
  })
  const [type, create] =
    binding === undefined ? ['UnboundFunction', 'unboundFunction'] : ['BoundFunction', 'boundFunction']
  const bound = binding === undefined ? '' : `, on items of ${binding.type.name}`
  const literal = formats.length === 0 ? '{}' : `{ ${formats.join(', ')} }`
  return {
    docs: [`\`${qualifiedName}\` in filters${bound}.`, ...annotatedDocs(operation)],
    name: file.scope.claim(valueIdentifier(codeName(operation)), 'Of'),
    type: `${file.runtime(type)}<${given}, ${result}>`,
    value: `${file.runtime(create)}(${stringLiteral(qualifiedName)}, ${literal})`,
  }
}
