import type { ts as Ts } from 'ts-morph'
import { isStubGroup, type Stub, type StubGroup } from '../emit/server/handler-stubs.js'
import { applyInsertions, type Insertion, insertMembers, lineStyle } from './insert-members.js'

/** What became of a user's file. */
interface AddedHandlers {
  /** The file's text; the very text that came in when nothing was added. */
  readonly text: string
  /** Dotted names of the handlers that were added, `me.messages.list`. */
  readonly added: readonly string[]
  /** What could not be told, and was therefore left alone. */
  readonly problems: readonly HandlerProblem[]
}

export interface HandlerProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/**
 * Appends a stub for each operation that a user's handlers lack. Every byte that was there stays: line ends, tabs, a
 * byte order mark, comments. Where the file does not show which handlers exist, it is left as it is.
 *
 * @throws {ParserMissingError} when ts-morph is not installed
 */
export async function addHandlers(text: string, stubs: StubGroup): Promise<AddedHandlers> {
  const { ts } = await loadParser()
  const module = parseModule(ts, text)
  if (module.problem !== undefined) return { text, added: [], problems: [module.problem] }
  const found = findHandlers(ts, module.file, stubs.name)
  if ('message' in found) return { text, added: [], problems: [found] }
  const { missing, problems } = missingMembers(ts, module.file, found, stubs)
  const style = lineStyle(text)
  const notImplemented = localName(ts, module.file, 'notImplemented')
  const insertions: readonly Insertion[] = missing.flatMap(({ into, members }) =>
    insertMembers(module.file, into, members, style, notImplemented),
  )
  return {
    text: applyInsertions(text, insertions),
    added: missing.flatMap(({ names }) => names),
    problems,
  }
}

/** The object literal that a top-level constant of this name holds. */
function findHandlers(ts: typeof Ts, file: Ts.SourceFile, name: string): Ts.ObjectLiteralExpression | HandlerProblem {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(statement => statement.declarationList.declarations)
    .filter(declaration => ts.isIdentifier(declaration.name) && declaration.name.text === name)
  const [declaration] = declarations
  if (declaration === undefined)
    return { line: 1, message: `no top-level constant named ${name}; export one to be filled` }
  const literal = declaration.initializer && objectLiteralOf(ts, declaration.initializer)
  if (declarations.length === 1 && literal !== undefined) return literal
  return {
    line: lineOf(file, declaration.getStart(file)),
    message: `${name} is not initialised with an object literal, so its handlers cannot be told`,
  }
}

/** Members that one object literal lacks. */
interface MissingMembers {
  readonly into: Ts.ObjectLiteralExpression
  readonly members: readonly (Stub | StubGroup)[]
  /** Dotted names of all handlers among them. */
  readonly names: readonly string[]
}

/** Compares what the literals hold, at every depth, with what the service has. */
function missingMembers(
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

/** The object literal that an expression is, `satisfies`, `as`, `<T>` and parentheses aside. */
function objectLiteralOf(ts: typeof Ts, expression: Ts.Expression): Ts.ObjectLiteralExpression | undefined {
  let inner = expression
  while (
    ts.isSatisfiesExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isTypeAssertionExpression(inner) ||
    ts.isParenthesizedExpression(inner)
  ) {
    inner = inner.expression
  }
  return ts.isObjectLiteralExpression(inner) ? inner : undefined
}

/** What a file calls a value that it imports by this name from the generated `server.ts`; undefined: it imports none. */
function localName(ts: typeof Ts, file: Ts.SourceFile, imported: string): string | undefined {
  for (const statement of file.statements) {
    const clause = ts.isImportDeclaration(statement) && isServer(ts, statement) ? statement.importClause : undefined
    const bindings = clause?.isTypeOnly === false ? clause.namedBindings : undefined
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue
    const found = bindings.elements.find(
      ({ isTypeOnly, name, propertyName }) => !isTypeOnly && (propertyName ?? name).text === imported,
    )
    if (found !== undefined) return found.name.text
  }
  return undefined
}

/** Modules of other names may export another value by the same name. */
function isServer(ts: typeof Ts, { moduleSpecifier }: Ts.ImportDeclaration): boolean {
  return ts.isStringLiteral(moduleSpecifier) && /\/server(?:\.[jt]s)?$/.test(moduleSpecifier.text)
}

/** The syntax tree of one TypeScript file, or its first syntax error. */
type ParsedModule =
  | { readonly file: Ts.SourceFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: HandlerProblem }

const fileName = '/handlers.ts'

function parseModule(ts: typeof Ts, text: string): ParsedModule {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true)
  // A program of this one file: the only public way to a file's syntax errors.
  const program = ts.createProgram(
    [fileName],
    { noLib: true, noResolve: true, types: [] },
    {
      fileExists: name => name === fileName,
      readFile: () => undefined,
      getSourceFile: name => (name === fileName ? file : undefined),
      getDefaultLibFileName: () => '/lib.d.ts',
      getCanonicalFileName: name => name,
      getCurrentDirectory: () => '/',
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      writeFile: () => undefined,
    },
  )
  const error = program.getSyntacticDiagnostics(file)[0]
  if (error === undefined) return { file }
  const message = ts.flattenDiagnosticMessageText(error.messageText, ' ').replace(/\.$/, '')
  return { problem: { line: lineOf(file, error.start), message: `the file has a syntax error: ${message}` } }
}

/** The line of an offset, from 1. */
function lineOf(file: Ts.SourceFile, offset: number): number {
  return file.getLineAndCharacterOfPosition(offset).line + 1
}

/**
 * Loads what understands the user's files. Nothing else needs it, so it may have been left out of an installation.
 *
 * @throws {ParserMissingError} when it is not installed
 */
async function loadParser(): Promise<typeof import('ts-morph')> {
  try {
    return await import('ts-morph')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new ParserMissingError({ cause: error })
    throw error
  }
}

/** The package that understands the user's files is not installed. The message says what to do. */
export class ParserMissingError extends Error {
  override readonly name = 'ParserMissingError'

  constructor(options: ErrorOptions) {
    super(
      'Handlers are added by the package ts-morph, which is not installed, or not wholly: npm install ts-morph',
      options,
    )
  }
}
