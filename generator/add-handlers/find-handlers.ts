import type { ts as Ts } from 'ts-morph'
import type { HandlerProblem } from './add-handlers.js'
import { lineOf } from './line-of.js'
import { objectLiteralOf } from './object-literal-of.js'

/** The object literal that a top-level constant of this name holds. */
export function findHandlers(
  ts: typeof Ts,
  file: Ts.SourceFile,
  name: string,
): Ts.ObjectLiteralExpression | HandlerProblem {
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
