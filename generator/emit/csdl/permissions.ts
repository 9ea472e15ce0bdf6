import type { Endpoint } from '../../../spec/language/model/index.js'
import { collectionOf, recordOf } from './annotation-value.js'
import type { AnnotationValue } from './csdl-document.js'

/**
 * The scopes of endpoints as permissions: any one of them lets a caller in. Absent when none is needed.
 *
 * @see Capabilities vocabulary, PermissionType
 */
export function permissionsOf(endpoints: readonly Endpoint[]): AnnotationValue | undefined {
  const scopes = [...new Set(endpoints.flatMap(endpoint => endpoint.scopes))]
  if (scopes.length === 0) return undefined
  return collectionOf(
    scopes.map(scope =>
      recordOf([
        ['SchemeName', 'bearer'],
        ['Scopes', collectionOf([recordOf([['Scope', scope]])])],
      ]),
    ),
  )
}
