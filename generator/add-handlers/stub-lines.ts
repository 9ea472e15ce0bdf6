import { propertyName } from '../names/property-name.js'
import { isStubGroup, type Stub, type StubGroup } from './stub-group.js'

/** A stub, or a group with all that is in it, as members of an object literal; no indentation on the outermost level. */
export function stubLines(member: Stub | StubGroup): readonly string[] {
  if (!isStubGroup(member)) return member.lines
  return [`${propertyName(member.name)}: {`, ...indented(memberLines(member.members)), '},']
}

/** Members of one object literal, handlers set apart by an empty line. */
export function memberLines(members: readonly (Stub | StubGroup)[]): readonly string[] {
  return members.flatMap((member, index) => [...(index === 0 ? [] : ['']), ...stubLines(member)])
}

export const indented = (lines: readonly string[]): readonly string[] =>
  lines.map(line => (line === '' ? '' : `  ${line}`))
