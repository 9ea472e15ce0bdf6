import type { ts as Ts } from 'ts-morph'
import type { HandlerProblem } from './add-handlers.js'
import { lineOf } from './line-of.js'
import { objectLiteralOf } from './object-literal-of.js'
import { isStubGroup, type Stub, type StubGroup } from './stub-group.js'

/** Members that one object literal lacks. */
export interface MissingMembers {
  readonly into: Ts.ObjectLiteralExpression
  readonly members: readonly (Stub | StubGroup)[]
  /** Dotted names of all handlers among them. */
  readonly names: readonly string[]
}

/** Compares what the literals hold, at every depth, with what the service has. */
export function missingMembers(
  ts: typeof Ts,
  file: Ts.SourceFile,
  outermost: Ts.ObjectLiteralExpression,
  stubs: StubGroup,
): { readonly missing: readonly MissingMembers[]; readonly problems: readonly HandlerProblem[] } {
  const missing: MissingMembers[] = []
  const problems: HandlerProblem[] = []
  const compare = (literal: Ts.ObjectLiteralExpression, group: StubGroup, path: string): void => {
    const present = membersByName(ts, literal)
    if ('unclear' in present) {
      problems.push({
        line: lineOf(file, present.unclear.getStart(file)),
        message: unclearMessage(ts, present.unclear, path),
      })
      return
    }
    const members = group.members.filter(member => !present.has(member.name))
    if (members.length > 0)
      missing.push({ into: literal, members, names: members.flatMap(member => handlerNames(member, path)) })
    for (const member of group.members) {
      const written = present.get(member.name)
      if (written === undefined || !isStubGroup(member)) continue
      const inner = ts.isPropertyAssignment(written) ? objectLiteralOf(ts, written.initializer) : undefined
      if (inner !== undefined) compare(inner, member, `${path}.${member.name}`)
      else {
        const line = lineOf(file, written.getStart(file))
        problems.push({
          line,
          message: `${path}.${member.name} is not an object literal here, so its handlers cannot be told`,
        })
      }
    }
  }
  compare(outermost, stubs, stubs.name)
  return { missing, problems }
}

function membersByName(
  ts: typeof Ts,
  literal: Ts.ObjectLiteralExpression,
): ReadonlyMap<string, Ts.ObjectLiteralElementLike> | { readonly unclear: Ts.ObjectLiteralElementLike } {
  const members = new Map<string, Ts.ObjectLiteralElementLike>()
  for (const property of literal.properties) {
    const name = property.name && writtenName(ts, property.name)
    const isPrototype = name === '__proto__' && ts.isPropertyAssignment(property)
    if (name === undefined || isPrototype) return { unclear: property }
    members.set(name, property)
  }
  return members
}

function writtenName(ts: typeof Ts, name: Ts.PropertyName): string | undefined {
  const literal = ts.isComputedPropertyName(name) ? name.expression : name
  const named =
    ts.isStringLiteralLike(literal) || ts.isNumericLiteral(literal) || (literal === name && ts.isIdentifier(literal))
  return named ? literal.text : undefined
}

function unclearMessage(ts: typeof Ts, property: Ts.ObjectLiteralElementLike, path: string): string {
  const what = ts.isSpreadAssignment(property)
    ? 'a spread'
    : ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name)
      ? 'a prototype'
      : 'a computed name'
  return `${path} holds ${what}, so its handlers cannot be told; write them out, or add the missing ones by hand`
}

function handlerNames(member: Stub | StubGroup, path: string): readonly string[] {
  const name = `${path}.${member.name}`
  return isStubGroup(member) ? member.members.flatMap(inner => handlerNames(inner, name)) : [name]
}
