import { propertyName } from '../../names/identifiers.js'

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

/**
 * A stub, or a group with all that is in it, as members of an object literal, each with a comma at its end; no
 * indentation on the outermost level, two spaces a level below it.
 *
 * @param notImplemented what the file calls the handler that answers 501; undefined: it does not import it
 */
function stubLines(member: Stub | StubGroup, notImplemented: string | undefined): readonly string[] {
  const name = propertyName(member.name)
  if (isStubGroup(member)) return [`${name}: {`, ...indented(memberLines(member.members, notImplemented)), '},']
  if (notImplemented === undefined) return [...member.docs, `${name}(call) {`, '  return call.notImplemented()', '},']
  return [...member.docs, name === notImplemented ? `${name},` : `${name}: ${notImplemented},`]
}

/** Members of one object literal, set apart by an empty line. */
export function memberLines(
  members: readonly (Stub | StubGroup)[],
  notImplemented: string | undefined,
): readonly string[] {
  return members.flatMap((member, index) => [...(index === 0 ? [] : ['']), ...stubLines(member, notImplemented)])
}

export const indented = (lines: readonly string[]): readonly string[] =>
  lines.map(line => (line === '' ? '' : `  ${line}`))
