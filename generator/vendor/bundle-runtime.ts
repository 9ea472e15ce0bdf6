import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ts } from 'ts-morph'
import { packageFolder } from '../../spec/language/index.js'
import { partOf, type RuntimePart, runtimeParts } from './runtime-files.js'

/** What a vendored runtime exports: what generated code imports, and what users of that code need. */
const entrances = ['client/index.js', 'server/index.js']

/** The names of the query language. A part exports those that it contains, but includes no others for that. */
const queryEntrance = 'query/index.js'

/**
 * Bundles the runtime into one file for each part. Writing, reading and compiling one file takes a fraction of the time of
 * hundreds of modules. It contains the modules of the part, each after those that it needs at load time. Names stay
 * unchanged, so no two modules of a part may declare the same top-level name.
 *
 * @param read returns the source of a module by its name below the runtime folder: `server/call.js`
 * @throws Error if modules cannot share one file
 */
export function bundleRuntime(read: (module: string) => string): ReadonlyMap<RuntimePart, string> {
  const runtime = runtimeModules(read)
  const modules = reachableModules(runtime)
  const exported = new Set([...entrances, queryEntrance].flatMap(entrance => runtime.exportsOf(entrance)))
  return new Map(
    runtimeParts.map(part => [
      part,
      partText(
        part,
        modules.filter(({ name }) => partOf(name) === part),
        exported,
        runtime,
      ),
    ]),
  )
}

/** The modules of the runtime, read on first use. */
interface RuntimeModules {
  readonly module: (name: string) => RuntimeModule
  /** The names that a module declares or exports from others. */
  readonly exportsOf: (module: string) => readonly string[]
  /** The module that declares what another one exports under a name: the entry point leads to it through any number of modules. */
  readonly declaringModule: (module: string, name: string) => string | undefined
}

function runtimeModules(read: (module: string) => string): RuntimeModules {
  const known = new Map<string, RuntimeModule>()
  const module = (name: string): RuntimeModule => {
    partOf(name)
    const found = known.get(name) ?? runtimeModule(name, read(name))
    known.set(name, found)
    return found
  }
  const exportsOf = (name: string): readonly string[] => {
    const { declared, imports } = module(name)
    const passedOn = imports.filter(each => each.exported)
    return [...declared, ...passedOn.flatMap(each => (each.name === '*' ? exportsOf(each.module) : [each.name]))]
  }
  const declaringModule = (start: string, name: string): string | undefined => {
    const { declared, imports } = module(start)
    if (declared.has(name)) return start
    const passedOn = imports.filter(each => each.exported && (each.name === name || each.name === '*'))
    return passedOn.map(each => declaringModule(each.module, name)).find(found => found !== undefined)
  }
  return { module, exportsOf, declaringModule }
}

/** The modules that declare what is needed, in the order in which they can be loaded. */
function reachableModules(runtime: RuntimeModules): readonly RuntimeModule[] {
  const seen = new Set<string>()
  const ordered: RuntimeModule[] = []
  const waiting: string[] = [...entrances]
  const load = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const module = runtime.module(name)
    for (const imported of module.imports) {
      for (const needed of declaringModules(imported, name, runtime))
        imported.value ? load(needed) : waiting.push(needed)
    }
    ordered.push(module)
  }
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) load(name)
  return ordered
}

function declaringModules({ module, name }: RuntimeImport, from: string, runtime: RuntimeModules): readonly string[] {
  const names = name === '*' ? runtime.exportsOf(module) : [name]
  return names.map(each => {
    const found = runtime.declaringModule(module, each)
    if (found === undefined) throw new Error(`runtime/${from} imports ${each} from ${module}, which does not export it`)
    return found
  })
}

function partText(
  part: RuntimePart,
  modules: readonly RuntimeModule[],
  exported: ReadonlySet<string>,
  runtime: RuntimeModules,
): string {
  const owners = new Map<string, string>()
  for (const { name, declared, imports } of modules) {
    const outside = imports
      .flatMap(imported => declaringModules(imported, name, runtime))
      .find(module => partOf(module) !== part)
    if (outside !== undefined) {
      throw new Error(
        `runtime/${name} imports ${outside}: the part ${part} must be self-contained, because it may be vendored alone`,
      )
    }
    for (const each of declared) {
      const owner = owners.get(each)
      if (owner !== undefined) throw clash(each, owner, name)
      owners.set(each, name)
    }
  }
  for (const { name, globals } of modules) {
    for (const each of globals) {
      const owner = owners.get(each)
      if (owner !== undefined) throw clash(each, `the global that ${name} means`, owner)
    }
  }
  const used = new Set(modules.flatMap(({ mentioned }) => [...mentioned]))
  return modules
    .map(({ name, statements }) => {
      const text = statements.map(statement => statementText(statement, exported, used)).join('')
      return { name, text: text.trim() }
    })
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => `// ${source(name)}\n\n${text}\n`)
    .join('\n')
}

/** A name that is neither public nor used stays exported, because the compiler would otherwise report it as unused. */
function statementText(
  { text, names, exportAt }: RuntimeStatement,
  exported: ReadonlySet<string>,
  used: ReadonlySet<string>,
): string {
  const stays = exportAt === undefined || names.some(name => exported.has(name) || !used.has(name))
  return stays ? text : text.slice(0, exportAt) + text.slice(exportAt + 'export '.length)
}

const source = (module: string): string => module.replace(/\.js$/, '.ts')

const clash = (name: string, first: string, second: string): Error =>
  new Error(
    `The runtime has two meanings of \`${name}\` in one part: ${first} and ${second}. A vendored part is one file: rename ` +
      'one of them.',
  )

/** Writes the TypeScript files of a vendored runtime to a folder: a step of the package's build. */
export function writeBundles(target: string): void {
  const source = packageFolder('runtime')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const read = (module: string): string => readFileSync(join(source, module.replace(/\.js$/, '.ts')), 'utf8')
  for (const [part, text] of bundleRuntime(module => read(module).replaceAll('\r\n', '\n'))) {
    writeFileSync(join(target, `${part}.ts`), text)
  }
}

/** One module of the runtime, parsed so that it can be bundled with others. */
interface RuntimeModule {
  /** Below the runtime folder: `server/call.js`. */
  readonly name: string
  /** Without its imports and its exports from other modules. */
  readonly statements: readonly RuntimeStatement[]
  /** The statements at its top level. */
  readonly declared: ReadonlySet<string>
  readonly imports: readonly RuntimeImport[]
  /** Names that it refers to, declared here or elsewhere. */
  readonly mentioned: ReadonlySet<string>
  /** The globals that it uses: names that it neither imports nor declares. */
  readonly globals: ReadonlySet<string>
}

/** One statement at the top level, with the comments before it. */
interface RuntimeStatement {
  readonly text: string
  readonly names: readonly string[]
  /** The offset of `export ` in the text, if it is there. */
  readonly exportAt: number | undefined
}

/** One name that a module imports, or exports again. */
interface RuntimeImport {
  readonly module: string
  readonly name: string
  readonly value: boolean
  /** Whether the module exports it again. */
  readonly exported: boolean
}

/**
 * Parses a module.
 *
 * @throws Error if it imports or exports what cannot share one file with the rest: another name than the one
 *   declared, a default, a whole module, something from outside the runtime
 */
function runtimeModule(name: string, source: string): RuntimeModule {
  const file = ts.createSourceFile(name.replace(/\.js$/, '.ts'), source, ts.ScriptTarget.Latest, true)
  const declared = new Set<string>()
  const imports: RuntimeImport[] = []
  const statements: RuntimeStatement[] = []
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      imports.push(...importsOf(statement, name))
    } else {
      const names = declarationsOf(statement)
      for (const declaration of names) declared.add(declaration)
      const start = ts.canHaveModifiers(statement)
        ? statement.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)?.getStart()
        : undefined
      const exportAt = start === undefined ? undefined : start - statement.getFullStart()
      statements.push({ text: statement.getFullText(), names, exportAt })
    }
  }
  const { mentioned, bound } = namesIn(file)
  for (const imported of imports) bound.add(imported.name)
  return {
    name,
    statements: [...statements, { text: file.endOfFileToken.getFullText(), names: [], exportAt: undefined }],
    declared,
    imports,
    mentioned,
    globals: new Set([...mentioned].filter(each => !bound.has(each))),
  }
}

function importsOf(statement: ts.ImportDeclaration | ts.ExportDeclaration, from: string): readonly RuntimeImport[] {
  const refuse = (why: string): never => {
    throw new Error(`runtime/${from}: \`${statement.getText()}\` ${why}: such a module cannot be bundled into its part`)
  }
  const { moduleSpecifier } = statement
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return refuse('exports names apart')
  if (!moduleSpecifier.text.startsWith('.')) return refuse('imports from outside the runtime')
  const module = posix.join(posix.dirname(from), moduleSpecifier.text)
  if (ts.isExportDeclaration(statement) && statement.exportClause === undefined) {
    return [{ module, name: '*', value: !statement.isTypeOnly, exported: true }]
  }
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined
  const list = ts.isImportDeclaration(statement) ? clause?.namedBindings : statement.exportClause
  if (clause?.name !== undefined) return refuse('imports a default')
  if (list === undefined) return refuse('imports a module for its effects')
  if (ts.isNamespaceImport(list) || ts.isNamespaceExport(list)) return refuse('names a whole module')
  const typesOnly = ts.isImportDeclaration(statement) ? clause?.isTypeOnly === true : statement.isTypeOnly
  return list.elements.map(element => {
    if (element.propertyName !== undefined) refuse('gives another name')
    const value = !typesOnly && !element.isTypeOnly
    return { module, name: element.name.text, value, exported: ts.isExportDeclaration(statement) }
  })
}

function declarationsOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

/** The names that refer to something in scope, and those that are bound somewhere in the file. */
function namesIn(file: ts.SourceFile): { readonly mentioned: ReadonlySet<string>; readonly bound: Set<string> } {
  const mentioned = new Set<string>()
  const bound = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMember(node)) (isBinding(node) ? bound : mentioned).add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { mentioned, bound }
}

/** Whether a name is the name of a member, which is never looked up in scope. */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isQualifiedName(parent)) return parent.right === node
  if (ts.isBindingElement(parent)) return parent.propertyName === node
  const hasMemberName =
    ts.isPropertyAssignment(parent) ||
    ts.isClassElement(parent) ||
    ts.isTypeElement(parent) ||
    ts.isNamedTupleMember(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent)
  return hasMemberName && parent.name === node
}

function isBinding(node: ts.Identifier): boolean {
  const { parent } = node
  const binds =
    ts.isVariableDeclaration(parent) ||
    ts.isBindingElement(parent) ||
    ts.isParameter(parent) ||
    ts.isTypeParameterDeclaration(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isClassLike(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent)
  return binds && parent.name === node
}
