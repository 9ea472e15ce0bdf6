import type { ts as Ts } from 'ts-morph'

/** What a file calls a value that it imports by this name from the generated `server.ts`; undefined: it imports none. */
export function localName(ts: typeof Ts, file: Ts.SourceFile, imported: string): string | undefined {
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
