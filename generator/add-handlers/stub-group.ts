/** The handlers that belong to one path of the service, as `generate` writes them for the first time. */
export interface StubGroup {
  /** Name of the property; for the outermost group, of the exported constant. */
  readonly name: string
  /** In the order of the spec. */
  readonly members: readonly (Stub | StubGroup)[]
}

/** One handler that is not written yet. */
export interface Stub {
  readonly name: string
  /** Its comment, line by line. */
  readonly docs: readonly string[]
}

export function isStubGroup(member: Stub | StubGroup): member is StubGroup {
  return 'members' in member
}
