import type { transformationNames } from '../../runtime/query/index.js'
import type { Aspect } from './model/aspects.js'

/** The spec document as it is written in YAML, after the JSON Schema accepted it. Stages after `model` never see it. */
export interface SpecDocument {
  readonly specwright: 1
  readonly service: ServiceDocument
  readonly authentication?: AuthenticationDocument
  readonly resources: Readonly<Record<string, ResourceDocument>>
  readonly container: Readonly<Record<string, ContainerElementDocument>>
  readonly queryOptions?: Readonly<Record<string, QueryOptionsDocument>>
  readonly paths: Readonly<Record<string, PathDocument>>
  readonly operations?: Readonly<Record<string, OperationDocument>>
  readonly preferences?: Readonly<Record<string, PreferenceDocument>>
  readonly errors: Readonly<Record<string, ErrorDocument>>
  readonly errorBody?: ErrorBodyDocument
  /** Which declared error answers which fault of the protocol; what is absent has a built-in answer. */
  readonly faults?: Readonly<Partial<Record<FaultName, string>>>
  readonly clauses?: Readonly<Record<string, ClauseDocument>>
  readonly open?: Readonly<Record<string, OpenChoiceDocument>>
  /** Named sets of choices: choice -> the one value that the profile demands. */
  readonly profiles?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly features?: FeaturesDocument
  readonly limits?: LimitsDocument
}

export interface ServiceDocument extends Annotated {
  readonly name: string
  readonly title?: string
  readonly namespace?: string
  /** Path segment after the base address, `v1.0`. */
  readonly version: string
  /** A text file in the folder of the spec that `clauses` quote. */
  readonly interface?: string
}

export interface AuthenticationDocument extends Annotated {
  readonly scheme: 'bearer' | 'none'
  /** Error names: no or bad credential; a credential without the scope. */
  readonly missing?: string
  readonly insufficient?: string
  readonly scopes?: Readonly<Record<string, string>>
}

export interface ClauseDocument {
  readonly ref: string
  /** Word for word from the interface. */
  readonly quote: string
  readonly aspects: readonly Aspect[]
  /** The choice under `open` that this sentence leaves, if it requires nothing. */
  readonly open?: string
}

export interface OpenChoiceDocument extends Annotated {
  /** Anything in the list is right, as long as a service is consistent. */
  readonly legal: readonly (string | number)[]
  /** What our own service does. */
  readonly reference: string | number
}

/** Support for what OData defines for whole services. The schema has the meaning of each; what is absent is `none`. */
export type FeaturesDocument = Annotated & Readonly<Partial<Record<FeatureName, SupportWord>>>

/** What OData defines for every service, and a service supports or not. */
export const featureNames = [
  'propertyPaths',
  'bind',
  'references',
  'deepInsert',
  'deepUpdate',
  'upsert',
  'batch',
  'trackChanges',
  'omitValues',
  'respondAsync',
] as const

export type FeatureName = (typeof featureNames)[number]

/** What one request may ask for. The schema has the meaning and the default of each. */
interface LimitsDocument extends Annotated {
  readonly url?: number
  readonly body?: number
  readonly stream?: number
  readonly nestedItems?: number
  readonly indexedWords?: number
  readonly deletedItems?: number
  readonly filterNodes?: number
  readonly lambdaDepth?: number
  readonly listItems?: number
  readonly patternLength?: number
  readonly patternSteps?: number
  readonly orderbyItems?: number
  readonly expandDepth?: number
  readonly expandedRelations?: number
  readonly expandedItems?: number
  readonly searchWords?: number
  readonly responseBytes?: number
}

export interface PreferenceDocument extends Annotated {
  /** Name without vendor prefix, `body-content-type`. A prefixed form is accepted too. */
  readonly name: string
  readonly values: readonly string[]
  readonly default?: string
  /** The structured property of the response whose format it chooses, as `property: body/contentType`. */
  readonly property?: string
}

/** An element whose name in code can differ from its name in the spec. */
interface Renamed {
  /** The name in TypeScript. What is sent keeps its own. */
  readonly rename?: string
}

export type ResourceDocument = StructuredTypeDocument | EnumTypeDocument | TypeDefinitionDocument

export interface StructuredTypeDocument extends Annotated, Renamed {
  readonly kind: 'entityType' | 'complexType'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  readonly base?: string
  readonly abstract?: boolean
  readonly open?: boolean
  readonly key?: readonly string[]
  /** Other keys, each a list of property names. */
  readonly alternateKeys?: readonly (readonly string[])[]
  /** Its items have no key, so collections of them can only be read as lists. */
  readonly keyless?: boolean
  readonly entityTag?: 'weak' | 'strong' | 'none'
  /** Media entities: each item has a media stream, at `/$value` below its URL. */
  readonly hasStream?: boolean
  /** The media types of the media stream, `image/*`. Default: any. */
  readonly mediaTypes?: readonly string[]
  readonly properties?: Readonly<Record<string, PropertyDocument>>
  readonly navigation?: Readonly<Record<string, NavigationDocument>>
}

export interface PropertyDocument extends Annotated {
  /** An Edm primitive type without `Edm.` (`String`, `DateTimeOffset`), or the name of a resource. */
  readonly type: string
  readonly collection?: boolean
  readonly nullable?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly unicode?: boolean
  readonly srid?: number | 'variable'
  /** The media types of a Stream, `image/*`. Default: any. */
  readonly mediaTypes?: readonly string[]
  /** Set by the service: neither create nor patch accepts it. */
  readonly computed?: boolean
  readonly createOnly?: boolean
  /** A create must include it. Default: not nullable, no default, not computed, no collection. */
  readonly required?: boolean
  readonly unique?: boolean
  readonly returned?: 'always' | 'byDefault' | 'onSelect'
  readonly default?: boolean | number | string | null
  /** A computed DateTimeOffset that the service sets to the current time: when the item is `created`, or each time it is `changed`. */
  readonly stamp?: 'created' | 'changed'
  /** A DateTimeOffset is always in UTC. Default: false, it may have any offset. */
  readonly utc?: boolean
  /** How `$search` matches it: `words` by token, `prefix` like startsWith, `none` (default). */
  readonly search?: 'words' | 'prefix' | 'none'
  readonly index?: boolean
}

export interface NavigationDocument extends Annotated, Renamed {
  readonly to: string
  readonly collection?: boolean
  readonly nullable?: boolean
  /** The target belongs to this item alone and ends with it. */
  readonly contained?: boolean
  readonly partner?: string
  /** Dependent property -> principal property. */
  readonly constraint?: Readonly<Record<string, string>>
  readonly onDelete?: 'cascade' | 'none' | 'setNull' | 'restrict'
}

export interface EnumTypeDocument extends Annotated, Renamed {
  readonly kind: 'enumType'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  readonly flags?: boolean
  readonly underlying?: 'Byte' | 'SByte' | 'Int16' | 'Int32' | 'Int64'
  readonly members: Readonly<Record<string, number | EnumMemberDocument>>
}

export interface EnumMemberDocument extends Annotated, Renamed {
  readonly value: number
}

export interface TypeDefinitionDocument extends Annotated, Renamed {
  readonly kind: 'typeDefinition'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  readonly type: string
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly pattern?: string
}

export interface ContainerElementDocument extends Annotated, Renamed {
  readonly entitySet?: string
  readonly singleton?: string
  /** `principal`: the item of the signed-in caller. */
  readonly bound?: 'principal'
  /** Navigation path -> entity set. By default the one set of the relation's type. */
  readonly bindings?: Readonly<Record<string, string>>
}

export interface QueryOptionsDocument extends Annotated {
  readonly select?: SupportWord
  readonly filter?: SupportWord | FilterDocument
  readonly orderby?: SupportWord | OrderbyDocument
  readonly expand?: SupportWord | ExpandDocument
  readonly top?: SupportWord | TopDocument
  readonly skip?: SupportWord
  readonly count?: SupportWord
  readonly compute?: SupportWord
  readonly apply?: SupportWord | ApplyDocument
  readonly search?: SupportWord | SearchDocument
  readonly requires?: readonly ConditionDocument[]
}

export interface FilterDocument extends Annotated {
  readonly support?: SupportWord
  /** Default: eq ne gt ge lt le and or not. A list means each `optional`; a map gives each its own word. */
  readonly operators?: readonly string[] | Readonly<Record<string, SupportWord>>
  readonly functions?: readonly string[] | Readonly<Record<string, SupportWord>>
  readonly lambdas?: readonly ('any' | 'all')[] | Readonly<Record<string, SupportWord>>
  /** Exceptions by property path; default: every structural property may be filtered. */
  readonly properties?: Readonly<Record<string, SupportWord | PropertyFilterDocument>>
  readonly maxNodes?: number
}

interface PropertyFilterDocument {
  readonly support?: SupportWord
  readonly operators?: readonly string[]
  readonly functions?: readonly string[]
}

export interface OrderbyDocument extends Annotated {
  readonly support?: SupportWord
  /** `all`: every primitive property (default). Otherwise the property paths, each optional, or a map of exceptions. */
  readonly properties?: 'all' | readonly string[] | Readonly<Record<string, SupportWord>>
  readonly maxKeys?: number
}

/** The options that an expanded relation can have, without their `$`. */
export const expandOptionNames = [
  'select',
  'expand',
  'filter',
  'orderby',
  'top',
  'skip',
  'count',
  'search',
  'compute',
  'levels',
] as const

export interface ExpandDocument extends Annotated {
  readonly support?: SupportWord
  /** Default: every relation. */
  readonly relations?: readonly string[] | Readonly<Record<string, SupportWord>>
  /** 1: no expand inside an expand (default). */
  readonly maxDepth?: number
  /** Options allowed inside an expanded relation. Default: select. */
  readonly nested?: readonly (typeof expandOptionNames)[number][]
  /** Scopes to read related items, by relation. Default: those of the path that shows the items. */
  readonly scopes?: Readonly<Record<string, readonly string[]>>
}

export interface TopDocument extends Annotated {
  readonly support?: SupportWord
  /** Items a page when `$top` is absent. */
  readonly default?: number
  readonly max?: number
  /** What `$top` above `max` gets; `open` leaves it to the choice `topAboveMaximum`. */
  readonly above?: 'error' | 'clamp' | 'open'
  readonly min?: 0 | 1
}

export interface ApplyDocument extends Annotated {
  readonly support?: SupportWord
  /** Default: all. */
  readonly transformations?: readonly (typeof transformationNames)[number][]
  /** Whether `groupby` allows `rollup`. Default: true. */
  readonly rollup?: boolean
  /** The properties to group by. Default: all. */
  readonly groupable?: readonly string[]
  /** The properties that `aggregate` can use. Default: all. */
  readonly aggregatable?: readonly string[]
}

export interface SearchDocument extends Annotated {
  readonly support?: SupportWord
  /** `propertyTerms`: `"property:term"`; `words`: the terms of OData. */
  readonly syntax?: 'propertyTerms' | 'words'
  readonly join?: readonly ('OR' | 'AND' | 'NOT')[]
  /** Default: the properties with `search`. */
  readonly properties?: readonly string[]
}

/** Construct X needs header H, else error E: what the Capabilities vocabulary cannot say. */
export interface ConditionDocument extends Annotated {
  /**
   * Any of these triggers it. `filter`, `filter.<operator or function>`, `filter.any`, `filter.all`, `search`, `count`,
   * `countPath`, `orderby`, `expand`, `skip`, `top`, `select`; joined by `+` when all must occur together.
   */
  readonly when: readonly string[]
  readonly header: Readonly<Record<string, string>>
  readonly otherwise: string
  /**
   * The choice under `open` that says whether a service demands the header here at all. A client sends it in any case; our
   * own service demands it only when its answer to that choice is `rejected`.
   */
  readonly open?: string
}

export interface PathDocument extends Annotated {
  /** The path to resolve instead of the template, if the template itself does not resolve: `me/drive/items/{id}/children`. */
  readonly resource?: string
  readonly get?: GetDocument
  readonly post?: PostDocument
  readonly patch?: PatchDocument
  readonly put?: PatchDocument
  readonly delete?: DeleteDocument
}

export interface EndpointDocument extends Annotated {
  /** The name in code, `me.messages.list`. Default: derived from the path. */
  readonly name?: string
  readonly status?: number
  readonly scopes?: readonly string[]
  /** Names of errors that only this endpoint adds to those every endpoint may give. */
  readonly errors?: readonly string[]
  readonly prefer?: readonly string[]
  readonly support?: SupportWord
}

export interface GetDocument extends EndpointDocument {
  readonly returns?: 'collection' | 'item' | 'count' | 'delta' | 'stream'
  /** A function that this path calls. */
  readonly calls?: string
  /** Name in `queryOptions`, or the options themselves. */
  readonly query?: string | QueryOptionsDocument
  readonly ifNoneMatch?: SupportWord
  /** What a single relation without a target answers: 404 (default) or 204. */
  readonly absent?: 404 | 204
}

export interface PostDocument extends EndpointDocument {
  /** The entity type that is created, or `calls`: an action. */
  readonly creates?: string
  readonly calls?: string
}

export interface PatchDocument extends EndpointDocument {
  readonly updates: string
  readonly ifMatch?: SupportWord
}

export interface DeleteDocument extends EndpointDocument {
  readonly deletes: string
  readonly ifMatch?: SupportWord
}

export interface OperationDocument extends Annotated, Renamed {
  readonly kind: 'action' | 'function'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  /** The type it is bound to; absent: called at the service's root. */
  readonly binding?: string
  readonly bindingCollection?: boolean
  readonly parameters?: Readonly<Record<string, ParameterDocument>>
  readonly returns?: ReturnTypeDocument
  readonly composable?: boolean
  /** An operation that is a query says so, in the query language itself. */
  readonly meaning?: MeaningDocument
  /** The value of a function: an expression on the item that it is bound to. `@name` is a parameter. */
  readonly definition?: string
}

export interface ParameterDocument extends Annotated {
  readonly type: string
  readonly collection?: boolean
  readonly nullable?: boolean
  readonly optional?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly format?: 'dateTimeOffset' | 'date' | 'guid'
}

interface ReturnTypeDocument extends Annotated {
  readonly type: string
  readonly collection?: boolean
  readonly nullable?: boolean
}

export interface MeaningDocument extends Annotated {
  /** The relation of the binding item where the query starts. */
  readonly of: string
  /** The relation is followed to its closure. */
  readonly transitive?: boolean
  /** A `$filter` over the related items. `@name` is a parameter. */
  readonly filter?: string
  readonly orderby?: string
  /** The property that is returned; absent: the item itself. */
  readonly value?: string
}

export interface ErrorDocument extends Annotated {
  readonly status: number
  readonly code: string
  /** May hold `{placeholders}` that the service fills. */
  readonly message: string
  /** The statuses that another implementation may give instead, `4xx`, `501`; default: only `status`. */
  readonly legal?: readonly (number | '4xx' | '5xx')[]
}

interface ErrorBodyDocument extends Annotated {
  /** Members of `error`: always there, and maybe there. */
  readonly required?: readonly string[]
  readonly optional?: readonly string[]
}

/** What can go wrong before a handler is asked, or without one. */
export type FaultName =
  | 'pathNotFound'
  | 'itemNotFound'
  | 'methodNotAllowed'
  | 'notAcceptable'
  | 'unsupportedMediaType'
  | 'malformedQueryOption'
  | 'unsupportedQueryOption'
  | 'malformedBody'
  | 'invalidBody'
  | 'malformedKey'
  | 'invalidParameter'
  | 'malformedEntityTag'
  | 'preconditionFailed'
  | 'preconditionRequired'
  | 'conflict'
  | 'expiredToken'
  | 'payloadTooLarge'
  | 'uriTooLong'
  | 'tooManyRequests'
  | 'notImplemented'
  | 'internalError'
  | 'serviceUnavailable'

/** What every element of a spec may carry. */
export interface Annotated {
  /** Section of the interface this comes from, `"4.2 rule 1"`. Travels into comments, OpenAPI, CSDL and reports. */
  readonly ref?: string
  readonly description?: string
  /** The interface does not say this; here is why it is so. Listed in the generated page of assumptions. */
  readonly assumed?: string
}

/** `required`: every implementation must. `optional`: it may refuse with an error. `none`: it must refuse. `true` is `optional`, `false` is `none`. */
export type SupportWord = 'required' | 'optional' | 'none' | boolean
