/**
 * One request of a batch.
 *
 * @see OData JSON Format 4.01, 19.1 (batch request)
 */
export interface BatchRequest {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** From the server's root on, `/v1.0/users?$top=1`. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Undefined: none. */
  readonly body: Uint8Array | undefined
  /** Requests before it that must have succeeded. */
  readonly dependsOn: readonly string[]
}
