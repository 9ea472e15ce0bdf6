import {
  type Annotations,
  type ErrorDefinition,
  featureNames,
  type OpenChoice,
  type Preference,
  type Service,
} from '../../../spec/language/index.js'
import {
  type Annotation,
  type AnnotationValue,
  annotationsOf,
  collectionOf,
  descriptionAnnotations,
  descriptionMembers,
  nonEmptyCollection,
  recordOf,
  tagValue,
} from './csdl-document.js'
import { pathRecord, queryOptionsRecord } from './endpoint-annotations.js'

/**
 * Everything of a spec that is not in its types, operations and container, and for which no vocabulary has a term. With it,
 * an import restores an exported spec completely.
 */
export function serviceAnnotations(service: Service): readonly Annotation[] {
  const { authentication, errorBody, limits } = service
  return [
    ...descriptionAnnotations(service),
    ...annotationsOf([
      [
        'Specwright.Service',
        record([
          ['Name', service.name],
          ['Title', service.title],
          ['Version', service.version],
        ]),
      ],
      [
        'Specwright.Authentication',
        record(
          [
            ['Scheme', authentication.scheme],
            ['Missing', declared(authentication.missing)],
            ['Insufficient', declared(authentication.insufficient)],
            [
              'Scopes',
              nonEmptyCollection(
                authentication.scopes.map(scope =>
                  record([
                    ['Name', scope.name],
                    ['Description', scope.description],
                  ]),
                ),
              ),
            ],
          ],
          authentication,
        ),
      ],
      ['Capabilities.KeyAsSegmentSupported', tagValue(writesKeysAsSegments(service))],
      ['Capabilities.AsynchronousRequestsSupported', tagValue(service.features.respondAsync === 'required')],
      [
        'Capabilities.DeepUpdateSupport',
        service.features.deepUpdate === 'required' ? recordOf([['Supported', true]]) : undefined,
      ],
      ['Capabilities.BatchSupported', tagValue(service.features.batch === 'required')],
      [
        'Capabilities.BatchSupport',
        service.features.batch === 'required'
          ? recordOf([['SupportedFormats', collectionOf(['application/json'])]])
          : undefined,
      ],
      ['Specwright.QueryOptions', nonEmptyCollection(service.queryCapabilities.map(queryOptionsRecord))],
      ['Specwright.Paths', nonEmptyCollection(service.paths.map(pathRecord))],
      ['Specwright.Preferences', nonEmptyCollection(service.preferences.map(preferenceRecord))],
      ['Specwright.Errors', nonEmptyCollection(service.errors.filter(error => !error.builtIn).map(errorRecord))],
      ['Specwright.Faults', nonEmptyCollection(faultRecords(service))],
      [
        'Specwright.ErrorBody',
        record([
          ['Required', collectionOf(errorBody.required)],
          ['Optional', collectionOf(errorBody.optional)],
        ]),
      ],
      [
        'Specwright.Clauses',
        nonEmptyCollection(
          service.clauses.map(clause =>
            record([
              ['Id', clause.id],
              ['Ref', clause.ref],
              ['Quote', clause.quote],
              ['Aspects', collectionOf(clause.aspects)],
              ['Open', clause.open?.name],
            ]),
          ),
        ),
      ],
      ['Specwright.Open', nonEmptyCollection(service.open.map(openRecord))],
      [
        'Specwright.Profiles',
        nonEmptyCollection(
          service.profiles.map(({ name, choices }) =>
            record([
              ['Name', name],
              [
                'Choices',
                collectionOf(
                  choices.map(({ choice, value }) =>
                    record([
                      ['Choice', choice.name],
                      ['Value', value],
                    ]),
                  ),
                ),
              ],
            ]),
          ),
        ),
      ],
      ['Specwright.Features', nonEmptyRecord(featureMembers(service))],
      [
        'Specwright.Limits',
        record([
          ['Url', limits.url],
          ['Body', limits.body],
          ['Stream', limits.stream],
          ['NestedItems', limits.nestedItems],
          ['IndexedWords', limits.indexedWords],
          ['DeletedItems', limits.deletedItems],
          ['FilterNodes', limits.filterNodes],
          ['LambdaDepth', limits.lambdaDepth],
          ['ListItems', limits.listItems],
          ['PatternLength', limits.patternLength],
          ['PatternSteps', limits.patternSteps],
          ['OrderbyItems', limits.orderbyItems],
          ['ExpandDepth', limits.expandDepth],
          ['ExpandedRelations', limits.expandedRelations],
          ['ExpandedItems', limits.expandedItems],
          ['SearchWords', limits.searchWords],
          ['ResponseBytes', limits.responseBytes],
        ]),
      ],
      [
        'Specwright.Assumptions',
        nonEmptyCollection(
          service.assumptions.map(({ element, why, ref }) =>
            record([
              ['Element', element],
              ['Why', why],
              ['Ref', ref],
            ]),
          ),
        ),
      ],
    ]),
  ]
}

/** Whether all paths write keys of one part as segments. */
function writesKeysAsSegments({ endpoints }: Service): boolean {
  const keys = endpoints.flatMap(({ resolved }) =>
    resolved.filter(segment => segment.kind === 'key' && segment.variables.length === 1),
  )
  return keys.length > 0 && keys.every(segment => segment.kind === 'key' && segment.style === 'segment')
}

/** What the service supports beyond its paths, `['PropertyPaths', 'optional']`. */
function featureMembers({ features }: Service): Members {
  return featureNames.flatMap((name): Members => {
    return features[name] === 'none' ? [] : [[name.charAt(0).toUpperCase() + name.slice(1), features[name]]]
  })
}

function nonEmptyRecord(members: Members): AnnotationValue | undefined {
  return members.length === 0 ? undefined : record(members)
}

type Members = readonly (readonly [name: string, value: AnnotationValue | undefined])[]

function record(members: Members, said?: Annotations): AnnotationValue {
  return recordOf(said === undefined ? members : [...members, ...descriptionMembers(said)])
}

/** The name of an error that the spec declares; undefined for a built-in one. */
function declared(error: ErrorDefinition | undefined): string | undefined {
  return error === undefined || error.builtIn ? undefined : error.name
}

function preferenceRecord(preference: Preference): AnnotationValue {
  return record(
    [
      ['Id', preference.id],
      ['Name', preference.name],
      ['Values', collectionOf(preference.values)],
      ['Default', preference.default],
      ['Property', preference.property],
    ],
    preference,
  )
}

function errorRecord(error: ErrorDefinition): AnnotationValue {
  return record(
    [
      ['Name', error.name],
      ['Status', error.status],
      ['Code', error.code],
      ['Message', error.message],
      ['Legal', nonEmptyCollection(error.legal.map(String))],
    ],
    error,
  )
}

function faultRecords(service: Service): readonly AnnotationValue[] {
  return Object.entries(service.faults).flatMap(([fault, error]) =>
    error.builtIn
      ? []
      : [
          record([
            ['Fault', fault],
            ['Error', error.name],
          ]),
        ],
  )
}

function openRecord(choice: OpenChoice): AnnotationValue {
  return record(
    [
      ['Name', choice.name],
      ['Legal', collectionOf(choice.legal)],
      ['Reference', choice.reference],
    ],
    choice,
  )
}
