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
  /** A method of an object literal with a comma at its end, line by line, indented by two spaces a level. */
  readonly lines: readonly string[]
}

export function isStubGroup(member: Stub | StubGroup): member is StubGroup {
  return 'members' in member
}
