import { posix } from 'node:path'
import { ts } from 'ts-morph'

/** One module of the runtime, parsed so that it can be bundled with others. */
export interface RuntimeModule {
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
export interface RuntimeStatement {
  readonly text: string
  readonly names: readonly string[]
  /** The offset of `export ` in the text, if it is there. */
  readonly exportAt: number | undefined
}

/** One name that a module imports, or exports again. */
export interface RuntimeImport {
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
export function runtimeModule(name: string, source: string): RuntimeModule {
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
