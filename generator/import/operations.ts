import {
  type OperationDocument,
  type ParameterDocument,
  pointerTo,
  type ResourceDocument,
  record,
} from '../../spec/language/index.js'
import { descriptionsOf, renameOf, type TermLookup } from './csdl/annotations.js'
import type { NamedElement } from './csdl/catalogue.js'
import {
  type CsdlElement,
  childrenOf,
  isTrue,
  isUsableName,
  memberOf,
  textOf,
  typeReference,
} from './csdl/csdl-element.js'
import { scopesOf } from './derived/restrictions.js'
import { importMeaning } from './exported/chapters.js'
import { note, omission } from './finding.js'
import { type ImportContext, importType } from './names.js'
import { compact, oneOf } from './spec-document.js'
import { importFacets } from './types/type-definitions.js'

/** An operation with its name in paths. */
export interface ImportedOperation {
  readonly document: OperationDocument
  /** The scopes, of which a caller needs one. */
  readonly scopes: readonly string[]
  readonly qualifiedName: string
}

type Resources = Readonly<Record<string, ResourceDocument>>

const returnFacets = ['MaxLength', 'Precision', 'Scale', 'Unicode', 'SRID']

/** All operations of a document by their names in the spec; what a spec cannot express is reported. */
export function importOperations(context: ImportContext, resources: Resources): ReadonlyMap<string, ImportedOperation> {
  const { catalogue, names, origins } = context
  const operations = new Map<string, ImportedOperation>()
  for (const operation of catalogue.operations) {
    const name = names.operations.get(operation)
    if (name === undefined) continue
    if (catalogue.types.has(operation.qualifiedName)) {
      const message = 'A type and an operation cannot share a qualified name; the operation is left out'
      context.report(omission('name', message, operation.qualifiedName, operation.element.location))
      continue
    }
    const document = importOperation(context, operation, resources)
    if (document === undefined) continue
    const { qualifiedName, element } = operation
    origins.set(pointerTo('/operations', name), element.location)
    const isOwn = qualifiedName === `${catalogue.namespace}.${name}`
    const restrictions = operationAnnotations(context, operation)('Capabilities.OperationRestrictions')
    operations.set(name, {
      document: isOwn ? document : { ...document, qualifiedName },
      qualifiedName,
      scopes: scopesOf(memberOf(restrictions, 'Permissions')),
    })
  }
  return operations
}

function importOperation(
  context: ImportContext,
  operation: NamedElement,
  resources: Resources,
): OperationDocument | undefined {
  const { element, qualifiedName } = operation
  const { report } = context
  const all = childrenOf(element, 'Parameter')
  const isBound = isTrue(element, 'IsBound')
  const [first] = all
  const binding = isBound && first !== undefined ? bindingOf(context, first, qualifiedName, resources) : undefined
  if (isBound && binding === undefined) return undefined
  const lookup = operationAnnotations(context, operation)
  const parameters = new Map<string, ParameterDocument>()
  for (const parameter of isBound ? all.slice(1) : all) {
    const name = parameter.attributes.get('Name') ?? ''
    const imported = importParameter(context, parameter, operation)
    if (imported === undefined || !isUsableName(name) || parameters.has(name)) {
      const message = 'An operation needs all its parameters, with unique names; it is left out'
      report(omission('parameter', message, `${qualifiedName}: ${name}`, parameter.location))
      return undefined
    }
    parameters.set(name, imported)
  }
  const [returnElement] = childrenOf(element, 'ReturnType')
  const returns = returnElement === undefined ? undefined : returnsOf(context, returnElement, operation)
  const isFunction = element.name === 'Function'
  if (returns === undefined && (isFunction || returnElement !== undefined)) {
    // At the type, so that the report lists errors in the type first.
    const { location } = returnElement ?? element
    report(omission('return-type', 'An operation needs its return type; it is left out', qualifiedName, location))
    return undefined
  }
  if (element.attributes.has('EntitySetPath')) {
    report(note('entity-set-path', entitySetPathMessage, qualifiedName, element.location))
  }
  return compact({
    kind: isFunction ? ('function' as const) : ('action' as const),
    ...descriptionsOf(lookup),
    ...renameOf(lookup),
    binding: binding?.type,
    bindingCollection: binding?.collection || undefined,
    composable: (isFunction && isTrue(element, 'IsComposable')) || undefined,
    parameters: parameters.size === 0 ? undefined : record(parameters),
    returns,
    meaning: importMeaning(lookup('Specwright.Meaning')),
    definition: textOf(lookup('Specwright.Definition')),
  })
}

function bindingOf(context: ImportContext, element: CsdlElement, operation: string, resources: Resources) {
  const type = importType(context, element, operation)
  if (type === undefined) return undefined
  const kind = resources[type.type]?.kind
  if (kind === 'entityType' || kind === 'complexType') return type
  context.report(
    omission('binding', 'The binding type of an operation must be a structured type', operation, element.location),
  )
  return undefined
}

function importParameter(
  context: ImportContext,
  element: CsdlElement,
  operation: NamedElement,
): ParameterDocument | undefined {
  const path = `${operation.qualifiedName}/${element.attributes.get('Name') ?? ''}`
  const type = importType(context, element, path)
  if (type === undefined) return undefined
  const lookup = annotationsOfPart(context, operation, element, `/${element.attributes.get('Name') ?? ''}`)
  const { unicode, srid, ...facets } = importFacets(element, lookup, type.primitive, path, context.report)
  if (unicode !== undefined || srid !== undefined) {
    context.report(omission('facet', 'A spec does not support Unicode or SRID on a parameter', path, element.location))
  }
  return compact({
    type: type.type,
    collection: type.collection || undefined,
    nullable: (element.attributes.get('Nullable') ?? 'true') === 'true' || undefined,
    optional: lookup('Core.OptionalParameter') !== undefined || undefined,
    ...facets,
    format: oneOf(textOf(lookup('Specwright.Format')), ['dateTimeOffset', 'date', 'guid'] as const),
    ...descriptionsOf(lookup),
  })
}

function returnsOf(
  context: ImportContext,
  element: CsdlElement,
  operation: NamedElement,
): OperationDocument['returns'] {
  const type = importType(context, element, operation.qualifiedName)
  if (type === undefined) return undefined
  if (returnFacets.some(name => element.attributes.has(name))) {
    context.report(
      omission('facet', 'A spec does not support facets on a return type', operation.qualifiedName, element.location),
    )
  }
  return compact({
    type: type.type,
    collection: type.collection || undefined,
    nullable: (element.attributes.get('Nullable') ?? 'true') === 'true' || undefined,
    ...descriptionsOf(annotationsOfPart(context, operation, element, '/$ReturnType')),
  })
}

/** The annotations of one overload, or of all of them. @see OData CSDL 4.01, 14.2.2 (target) */
function operationAnnotations(context: ImportContext, operation: NamedElement): TermLookup {
  return annotationsOfPart(context, operation, operation.element, '')
}

function annotationsOfPart(
  { annotations, catalogue }: ImportContext,
  { element, qualifiedName }: NamedElement,
  part: CsdlElement,
  path: string,
): TermLookup {
  const types = childrenOf(element, 'Parameter').map(({ attributes }) => {
    const { name, collection } = typeReference(attributes.get('Type') ?? '')
    return collection ? `Collection(${catalogue.qualify(name)})` : catalogue.qualify(name)
  })
  const one = annotations.of(part, `${qualifiedName}(${types.join(',')})${path}`)
  // Overloads of an action differ in their binding.
  const bound = annotations.of(part, `${qualifiedName}(${isTrue(element, 'IsBound') ? (types[0] ?? '') : ''})${path}`)
  const all = annotations.of(part, `${qualifiedName}${path}`)
  return term => one(term) ?? (element.name === 'Action' ? bound(term) : undefined) ?? all(term)
}

/** The message for `EntitySetPath`, and for the entity set of an operation import. */
export const entitySetPathMessage =
  'A spec does not state the entity set of an operation’s results (no caller needs it)'
