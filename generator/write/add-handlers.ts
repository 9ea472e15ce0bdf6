import type { Expression, ObjectLiteralElementLike, ObjectLiteralExpression, PropertyName, SourceFile } from 'ts-morph'
import { installCommand } from '../../spec/language/index.js'
import type { HandlerStub } from '../emit/server/emit-handlers.js'
import { noImports, renderTemplate, type Templates } from '../text/render-template.js'

/** The result for a user's file. */
interface AddedHandlers {
  /** The text of the file, unchanged if nothing was added. */
  readonly text: string
  /** Dotted names of the handlers that were added, `me.messages.list`. */
  readonly added: readonly string[]
  /** What is unclear in the file and was therefore not changed. */
  readonly problems: readonly HandlerProblem[]
}

export interface HandlerProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

type TsMorph = typeof import('ts-morph')

/**
 * Appends a stub for each operation that a user's handlers lack. Every byte that was there stays: line ends, tabs, a byte
 * order mark, comments. If the file does not show which handlers exist, it stays unchanged.
 *
 * @throws {ParserMissingError} when ts-morph is not installed
 */
export async function addHandlers(text: string, stubs: HandlerStub, templates?: Templates): Promise<AddedHandlers> {
  const tsMorph = await loadTsMorph()
  const style = lineStyle(text)
  const project = new tsMorph.Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true, noResolve: true, types: [] },
    manipulationSettings: {
      newLineKind: style.lineEnd === '\n' ? tsMorph.NewLineKind.LineFeed : tsMorph.NewLineKind.CarriageReturnLineFeed,
    },
  })
  // ts-morph drops a byte order mark.
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const file = project.createSourceFile('/handlers.ts', text.slice(mark.length))
  const [error] = project.getProgram().getSyntacticDiagnostics(file)
  if (error !== undefined) {
    const found = error.getMessageText()
    const message = (typeof found === 'string' ? found : found.getMessageText()).replace(/\.$/, '')
    return unchanged(text, { line: error.getLineNumber(), message: `the file has a syntax error: ${message}` })
  }
  const handlers = findHandlers(tsMorph, file, stubs.name)
  if ('message' in handlers) return unchanged(text, handlers)
  const { missing, problems } = missingMembers(tsMorph, handlers, stubs)
  if (missing.length === 0) return { text, added: [], problems }
  const notImplemented = importedName(file, 'notImplemented')
  const insertions = missing.flatMap(({ into, members }) =>
    insertionsFor(tsMorph, file.getFullText(), into, stubLines(members, notImplemented, templates), style),
  )
  // From the end to the start, so that no insertion moves the position of another.
  const ordered = insertions.sort((a, b) => a.at - b.at).reverse()
  for (const { at, text: inserted } of ordered) file.insertText(at, inserted)
  return { text: mark + file.getFullText(), added: missing.flatMap(({ names }) => names), problems }
}

const unchanged = (text: string, problem: HandlerProblem): AddedHandlers => ({ text, added: [], problems: [problem] })

/** Only this module needs ts-morph, so an installation may lack it. */
async function loadTsMorph(): Promise<TsMorph> {
  try {
    return await import('ts-morph')
  } catch (error) {
    // The second code is that of Yarn's Plug'n'Play.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') throw new ParserMissingError({ cause: error })
    throw error
  }
}

/** The package that parses the user's files is not installed. The message states what to do. */
export class ParserMissingError extends Error {
  override readonly name = 'ParserMissingError'

  constructor(options: ErrorOptions) {
    super(
      `--add-handlers needs the package ts-morph, which is not installed, or only in part. Install it: ${installCommand('ts-morph')}`,
      options,
    )
  }
}

/** The object literal that a top-level constant holds. */
function findHandlers(tsMorph: TsMorph, file: SourceFile, name: string): ObjectLiteralExpression | HandlerProblem {
  const [declaration, ...others] = file.getVariableDeclarations().filter(each => each.getName() === name)
  if (declaration === undefined) return { line: 1, message: `no top-level constant is named ${name}. Export one` }
  const initializer = declaration.getInitializer()
  const literal = initializer === undefined ? undefined : objectLiteralOf(tsMorph, initializer)
  if (literal !== undefined && others.length === 0) return literal
  return {
    line: declaration.getStartLineNumber(),
    message: `${name} is not initialised with an object literal, so its handlers are unknown`,
  }
}

/** The object literal of an expression, without `satisfies`, `as`, `<T>` and parentheses. */
function objectLiteralOf({ Node }: TsMorph, expression: Expression): ObjectLiteralExpression | undefined {
  let inner = expression
  while (
    Node.isSatisfiesExpression(inner) ||
    Node.isAsExpression(inner) ||
    Node.isTypeAssertion(inner) ||
    Node.isParenthesizedExpression(inner)
  ) {
    inner = inner.getExpression()
  }
  return Node.isObjectLiteralExpression(inner) ? inner : undefined
}

/** The local name of a value that the file imports from the generated `server.ts`; empty if it does not import it. */
function importedName(file: SourceFile, name: string): string {
  const specifiers = file
    .getImportDeclarations()
    // Other modules may export another value with this name.
    .filter(each => !each.isTypeOnly() && /\/server(?:\.[jt]s)?$/.test(each.getModuleSpecifierValue()))
    .flatMap(each => each.getNamedImports())
  const found = specifiers.find(each => !each.isTypeOnly() && each.getName() === name)
  return found === undefined ? '' : (found.getAliasNode()?.getText() ?? name)
}

/** The members that one object literal lacks. */
interface MissingMembers {
  readonly into: ObjectLiteralExpression
  readonly members: readonly HandlerStub[]
  /** Dotted names of all handlers among them. */
  readonly names: readonly string[]
}

/** Compares the literals, at every depth, with the handlers of the service. */
function missingMembers(
  tsMorph: TsMorph,
  outermost: ObjectLiteralExpression,
  stubs: HandlerStub,
): { readonly missing: readonly MissingMembers[]; readonly problems: readonly HandlerProblem[] } {
  const missing: MissingMembers[] = []
  const problems: HandlerProblem[] = []
  const compare = (literal: ObjectLiteralExpression, group: HandlerStub, path: string): void => {
    const present = membersByName(tsMorph, literal)
    if ('unclear' in present) {
      const message = unclearMessage(tsMorph, present.unclear, path)
      problems.push({ line: present.unclear.getStartLineNumber(), message })
      return
    }
    const members = group.members.filter(({ name }) => !present.has(name))
    const names = members.flatMap(member => handlerNames(member, path))
    if (members.length > 0) missing.push({ into: literal, members, names })
    for (const member of group.members) {
      const written = present.get(member.name)
      if (written === undefined || member.members.length === 0) continue
      const value = tsMorph.Node.isPropertyAssignment(written) ? written.getInitializer() : undefined
      const inner = value === undefined ? undefined : objectLiteralOf(tsMorph, value)
      if (inner !== undefined) compare(inner, member, `${path}.${member.name}`)
      else {
        const message = `${path}.${member.name} is not an object literal here, so its handlers are unknown`
        problems.push({ line: written.getStartLineNumber(), message })
      }
    }
  }
  compare(outermost, stubs, stubs.name)
  return { missing, problems }
}

function membersByName(
  tsMorph: TsMorph,
  literal: ObjectLiteralExpression,
): ReadonlyMap<string, ObjectLiteralElementLike> | { readonly unclear: ObjectLiteralElementLike } {
  const members = new Map<string, ObjectLiteralElementLike>()
  for (const property of literal.getProperties()) {
    const name = tsMorph.Node.isSpreadAssignment(property) ? undefined : writtenName(tsMorph, property.getNameNode())
    const isPrototype = name === '__proto__' && tsMorph.Node.isPropertyAssignment(property)
    if (name === undefined || isPrototype) return { unclear: property }
    members.set(name, property)
  }
  return members
}

function writtenName({ Node }: TsMorph, name: PropertyName): string | undefined {
  const literal = Node.isComputedPropertyName(name) ? name.getExpression() : name
  if (Node.isStringLiteral(literal) || Node.isNoSubstitutionTemplateLiteral(literal) || Node.isNumericLiteral(literal))
    return literal.getLiteralText()
  return literal === name && Node.isIdentifier(literal) ? literal.getText() : undefined
}

function unclearMessage({ Node }: TsMorph, property: ObjectLiteralElementLike, path: string): string {
  const found = Node.isSpreadAssignment(property)
    ? 'a spread'
    : Node.isPropertyAssignment(property) && !Node.isComputedPropertyName(property.getNameNode())
      ? 'a prototype'
      : 'a computed name'
  return `${path} holds ${found}, so its handlers are unknown. Write them out, or add the missing ones yourself`
}

function handlerNames({ name, members }: HandlerStub, path: string): readonly string[] {
  const own = `${path}.${name}`
  return members.length === 0 ? [own] : members.flatMap(member => handlerNames(member, own))
}

/** The line ends and the indentation of a file. */
interface LineStyle {
  readonly lineEnd: '\r\n' | '\n'
  /** One level of indentation. */
  readonly unit: string
}

/** The style of the first line end and the first indented line; two spaces when no line is indented. */
function lineStyle(text: string): LineStyle {
  const firstEnd = text.indexOf('\n')
  const indentation = /^(\t| {2,8})(?=[^\s*])/m.exec(text)?.[1] ?? '  '
  return { lineEnd: firstEnd > 0 && text[firstEnd - 1] === '\r' ? '\r\n' : '\n', unit: indentation }
}

interface Insertion {
  readonly at: number
  readonly text: string
}

/** The edit that appends lines to an object literal, after every comment in it, in the style of the file. */
function insertionsFor(
  { Node, SyntaxKind }: TsMorph,
  text: string,
  literal: ObjectLiteralExpression,
  lines: readonly string[],
  { lineEnd, unit }: LineStyle,
): readonly Insertion[] {
  const last = literal.getProperties().at(-1)
  const close = literal.getEnd() - 1
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, literal.getStart())))?.[0] ?? ''
  const inner = (last && ownIndentation(text, last.getStart())) ?? outer + unit
  const indented = lines.map(line => {
    const depth = line.length - line.trimStart().length
    // An odd space is the one before the star of a comment.
    return line === '' ? '' : inner + unit.repeat(Math.floor(depth / 2)) + line.slice(depth - (depth % 2))
  })
  const added = [...(last === undefined ? [] : ['']), ...indented].join(lineEnd)
  const tokens = literal
    .getChildSyntaxListOrThrow()
    .getChildren()
    .filter(child => !Node.isCommentNode(child))
  const hasComma = tokens.at(-1)?.getKind() === SyntaxKind.CommaToken
  const comma = last === undefined || hasComma ? [] : [{ at: last.getEnd(), text: ',' }]
  if (ownIndentation(text, close) !== undefined) {
    return [...comma, { at: lineStart(text, close), text: added + lineEnd }]
  }
  return [...comma, { at: close, text: lineEnd + added + lineEnd + outer }]
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The white space before an offset, if nothing else is before it on its line. */
function ownIndentation(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset)
  return /^[ \t]*$/.test(before) ? before : undefined
}

/**
 * Stubs as members of an object literal, line by line. The outermost members are not indented, and each level adds two
 * spaces.
 *
 * @param notImplemented what the file calls the handler that answers 501; empty if the file does not import it
 */
const stubLines = (members: readonly HandlerStub[], notImplemented: string, templates?: Templates): readonly string[] =>
  renderTemplate('partials/handler-stubs', { members, notImplemented }, { ...noImports, templates })
    .trimEnd()
    .split('\n')
