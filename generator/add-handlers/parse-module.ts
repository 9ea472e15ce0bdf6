import type { ts as Ts } from 'ts-morph'
import type { HandlerProblem } from './add-handlers.js'
import { lineOf } from './line-of.js'

/** The syntax tree of one TypeScript file, or its first syntax error. */
export type ParsedModule =
  | { readonly file: Ts.SourceFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: HandlerProblem }

const fileName = '/handlers.ts'

export function parseModule(ts: typeof Ts, text: string): ParsedModule {
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
