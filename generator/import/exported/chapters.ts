import type {
  AuthenticationDocument,
  ClauseDocument,
  ErrorDocument,
  MeaningDocument,
  OpenChoiceDocument,
  PreferenceDocument,
  ServiceDocument,
  SpecDocument,
} from '../../../spec/language/index.js'
import { featureNames, isAspect, record } from '../../../spec/language/index.js'
import { descriptionsOf, type TermLookup } from '../csdl/annotations.js'
import {
  type AnnotationValue,
  isList,
  memberOf,
  numberOf,
  type RecordValue,
  recordsOf,
  textOf,
  textsOf,
} from '../csdl/csdl-element.js'
import { compact, oneOf, safeRecord } from '../spec-document.js'

/** The service itself, from an exported document; undefined if the document was not exported from a spec. */
export function exportedService(lookup: TermLookup, namespace: string): ServiceDocument | undefined {
  const service = lookup('Specwright.Service')
  const [name, version] = [textOf(memberOf(service, 'Name')), textOf(memberOf(service, 'Version'))]
  if (name === undefined || version === undefined) return undefined
  return compact({
    name,
    title: textOf(memberOf(service, 'Title')),
    namespace,
    version,
    ...descriptionsOf(lookup),
  })
}

/** The chapters that are plain tables. */
export function exportedChapters(
  lookup: TermLookup,
): Pick<
  SpecDocument,
  'preferences' | 'errors' | 'errorBody' | 'faults' | 'clauses' | 'open' | 'profiles' | 'features' | 'limits'
> {
  const preferences = table(lookup('Specwright.Preferences'), 'Id', preference)
  const faults = recordsOf(lookup('Specwright.Faults')).map(each => [text(each, 'Fault'), text(each, 'Error')] as const)
  const clauses = table(lookup('Specwright.Clauses'), 'Id', clause)
  const open = table(lookup('Specwright.Open'), 'Name', openChoice)
  const errorBody = lookup('Specwright.ErrorBody')
  const limits = lookup('Specwright.Limits')
  return compact({
    preferences,
    errors: table(lookup('Specwright.Errors'), 'Name', errorOf) ?? {},
    errorBody:
      errorBody === undefined
        ? undefined
        : compact({
            required: textsOf(memberOf(errorBody, 'Required')),
            optional: textsOf(memberOf(errorBody, 'Optional')),
          }),
    faults: faults.length === 0 ? undefined : safeRecord(faults),
    clauses,
    open,
    profiles: table(lookup('Specwright.Profiles'), 'Name', profile),
    features: exportedFeatures(lookup('Specwright.Features')),
    limits:
      limits === undefined
        ? undefined
        : compact({
            url: numberOf(memberOf(limits, 'Url')),
            body: numberOf(memberOf(limits, 'Body')),
            stream: numberOf(memberOf(limits, 'Stream')),
            nestedItems: numberOf(memberOf(limits, 'NestedItems')),
            indexedWords: numberOf(memberOf(limits, 'IndexedWords')),
            deletedItems: numberOf(memberOf(limits, 'DeletedItems')),
            filterNodes: numberOf(memberOf(limits, 'FilterNodes')),
            lambdaDepth: numberOf(memberOf(limits, 'LambdaDepth')),
            listItems: numberOf(memberOf(limits, 'ListItems')),
            patternLength: numberOf(memberOf(limits, 'PatternLength')),
            patternSteps: numberOf(memberOf(limits, 'PatternSteps')),
            orderbyItems: numberOf(memberOf(limits, 'OrderbyItems')),
            expandDepth: numberOf(memberOf(limits, 'ExpandDepth')),
            expandedRelations: numberOf(memberOf(limits, 'ExpandedRelations')),
            expandedItems: numberOf(memberOf(limits, 'ExpandedItems')),
            searchWords: numberOf(memberOf(limits, 'SearchWords')),
            responseBytes: numberOf(memberOf(limits, 'ResponseBytes')),
          }),
  })
}

function exportedFeatures(value: AnnotationValue | undefined): SpecDocument['features'] {
  const found = featureNames.flatMap(name => {
    const member = textOf(memberOf(value, name.charAt(0).toUpperCase() + name.slice(1)))
    const support = oneOf(member, ['required', 'optional'] as const)
    return support === undefined ? [] : [[name, support] as const]
  })
  return found.length === 0 ? undefined : record(found)
}

/** How callers authenticate. */
export function exportedAuthentication(lookup: TermLookup): AuthenticationDocument | undefined {
  const value = lookup('Specwright.Authentication')
  const scheme = oneOf(textOf(memberOf(value, 'Scheme')), ['bearer', 'none'] as const)
  if (scheme === undefined) return undefined
  const scopes = recordsOf(memberOf(value, 'Scopes'))
  return compact({
    scheme,
    missing: textOf(memberOf(value, 'Missing')),
    insufficient: textOf(memberOf(value, 'Insufficient')),
    ...descriptionOfRecord(value),
    scopes:
      scopes.length === 0
        ? undefined
        : safeRecord(scopes.map(scope => [text(scope, 'Name'), text(scope, 'Description')] as const)),
  })
}

/** A collection of records as a map by one of their members; undefined when there are none. */
function table<Entry>(
  value: AnnotationValue | undefined,
  key: string,
  entryOf: (value: RecordValue) => Entry,
): Readonly<Record<string, Entry>> | undefined {
  const records = recordsOf(value)
  return records.length === 0 ? undefined : safeRecord(records.map(each => [text(each, key), entryOf(each)] as const))
}

const text = (value: AnnotationValue | undefined, member: string): string => textOf(memberOf(value, member)) ?? ''

function preference(value: RecordValue): PreferenceDocument {
  return compact({
    name: text(value, 'Name'),
    values: textsOf(memberOf(value, 'Values')) ?? [],
    default: textOf(memberOf(value, 'Default')),
    property: textOf(memberOf(value, 'Property')),
    ...descriptionOfRecord(value),
  })
}

function errorOf(value: RecordValue): ErrorDocument {
  return compact({
    status: numberOf(memberOf(value, 'Status')) ?? 500,
    code: text(value, 'Code'),
    message: text(value, 'Message'),
    legal: textsOf(memberOf(value, 'Legal'))?.map(each => (each === '4xx' || each === '5xx' ? each : Number(each))),
    ...descriptionOfRecord(value),
  })
}

function clause(value: RecordValue): ClauseDocument {
  return compact({
    ref: text(value, 'Ref'),
    quote: text(value, 'Quote'),
    aspects: (textsOf(memberOf(value, 'Aspects')) ?? []).filter(isAspect),
    open: textOf(memberOf(value, 'Open')),
  })
}

function openChoice(value: RecordValue): OpenChoiceDocument {
  const legal = memberOf(value, 'Legal')
  return {
    legal: isList(legal) ? legal.filter(isAnswer) : [],
    reference: [memberOf(value, 'Reference')].find(isAnswer) ?? '',
    ...descriptionOfRecord(value),
  }
}

const isAnswer = (value: AnnotationValue | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

function profile(value: RecordValue): Readonly<Record<string, string>> {
  return safeRecord(
    recordsOf(memberOf(value, 'Choices')).map(choice => [text(choice, 'Choice'), text(choice, 'Value')] as const),
  )
}

/** The query that defines an operation, from `Specwright.Meaning`. */
export function importMeaning(value: AnnotationValue | undefined): MeaningDocument | undefined {
  const of = textOf(memberOf(value, 'Of'))
  if (of === undefined) return undefined
  return compact({
    of,
    transitive: memberOf(value, 'Transitive') === true || undefined,
    filter: textOf(memberOf(value, 'Filter')),
    orderby: textOf(memberOf(value, 'Orderby')),
    value: textOf(memberOf(value, 'Value')),
    ...descriptionOfRecord(value),
  })
}

/** `Description` and `Ref` of a record. */
export function descriptionOfRecord(value: AnnotationValue | undefined): ReturnType<typeof descriptionsOf> {
  const members = new Map([
    ['Core.Description', 'Description'],
    ['Specwright.Ref', 'Ref'],
  ])
  return descriptionsOf(term => {
    const member = members.get(term)
    return member === undefined ? undefined : memberOf(value, member)
  })
}
