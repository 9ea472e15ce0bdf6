import type { Capabilities, PropertyInfo, ServiceFunction, TypeTable } from '../../../runtime/query/index.js'
import type { FaultName, FeatureName } from '../document.js'
import type { Endpoint, ServiceLimits, Support } from '../model/service.js'

/**
 * A service as the server core runs it: what `ServiceTable` of runtime/server asks for, which may not be imported here.
 * Endpoints with the same query options share one object, so that whoever prints the table can print that once.
 */
export interface ServiceTableData {
  readonly name: string
  readonly namespace: string
  readonly version: string
  readonly types: TypeTable
  readonly container: Readonly<Record<string, ContainerData>>
  readonly routes: readonly RouteData[]
  readonly errors: Readonly<Record<string, ErrorData>>
  readonly faults: Readonly<Record<FaultName, ErrorData>>
  readonly authentication: {
    readonly scheme: 'bearer' | 'none'
    readonly missing?: string
    readonly insufficient?: string
  }
  readonly preferences: Readonly<Record<string, PreferenceData>>
  readonly choices: Readonly<Record<string, string | number>>
  /** The functions of the service that queries can call. */
  readonly functions?: Readonly<Record<string, ServiceFunction>>
  readonly uncallable?: Readonly<Record<string, string>>
  /** What the service supports of what OData defines for every service; absent: nothing. */
  readonly features?: readonly FeatureName[]
  readonly limits: ServiceLimits
}

export interface ContainerData {
  readonly kind: 'entitySet' | 'singleton'
  readonly type: string
  readonly principal?: true
}

export interface ErrorData {
  readonly status: number
  readonly code: string
  readonly message: string
}

export interface PreferenceData {
  readonly name: string
  readonly values: readonly string[]
  readonly default?: string
  readonly property?: string
}

export interface RouteData {
  readonly name: string
  readonly kind: Endpoint['kind']
  readonly method: Endpoint['method']
  readonly path: string
  readonly segments: readonly SegmentData[]
  readonly resource: readonly ResourceData[]
  readonly status: number
  readonly type?: string
  readonly query?: Capabilities
  readonly ifMatch?: Support
  readonly ifNoneMatch?: Support
  readonly absent?: 404 | 204
  readonly scopes: readonly string[]
  readonly errors: readonly string[]
  readonly preferences: readonly string[]
  readonly operation?: OperationData
  readonly stream?: StreamData
}

/** A stream that a route reads or writes. */
export interface StreamData {
  /** Absent: the media stream of the item itself. */
  readonly property?: string
  /** Absent: any. */
  readonly mediaTypes?: readonly string[]
  /** Bytes. */
  readonly maxLength?: number
}

export type ResourceData =
  | { readonly kind: 'entitySet' | 'singleton'; readonly name: string; readonly type: string }
  | { readonly kind: 'key'; readonly type: string; readonly variables: readonly string[] }
  | {
      readonly kind: 'alternateKey'
      readonly type: string
      readonly properties: readonly string[]
      readonly variables: readonly string[]
    }
  | {
      readonly kind: 'navigation'
      readonly name: string
      readonly type: string
      readonly collection: boolean
      /** The entity set to which the path binds it, if several have the type. */
      readonly set?: string
    }
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'cast'; readonly type: string }
  | { readonly kind: 'operation'; readonly name: string }

export interface OperationData {
  readonly kind: 'action' | 'function'
  readonly name: string
  readonly parameters: Readonly<Record<string, ParameterData>>
  readonly returns?: { readonly type: string; readonly collection?: true; readonly nullable?: true }
  readonly binding?: string
}

export interface ParameterData extends PropertyInfo {
  readonly optional?: true
  readonly format?: 'dateTimeOffset' | 'date' | 'guid'
}

export type SegmentData =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'key' | 'alternateKey'; readonly keys: readonly KeyData[] }
  | {
      readonly kind: 'operation'
      readonly name: string
      readonly qualifiedName?: string
      readonly overload?: readonly string[]
    }
  | { readonly kind: 'count' }
  | { readonly kind: 'delta' }

export interface KeyData {
  readonly variable: string
  readonly property: string
  readonly type: string
}
