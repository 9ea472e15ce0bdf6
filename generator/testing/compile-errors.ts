import { Project, ts } from 'ts-morph'
import type { GeneratedFile } from '../generated-file.js'

/** The strictest flags that generated code compiles under. */
export const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
} as const

/** The errors of the compiler for files in one folder; empty if they compile. */
export function compileErrors(
  files: readonly GeneratedFile[],
  flags: ts.CompilerOptions = strictest,
): readonly string[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      noEmit: true,
      ...flags,
    },
  })
  project.getFileSystem().writeFileSync('/package.json', '{ "type": "module" }')
  for (const { path, text } of files) project.createSourceFile(`/${path}`, text)
  return project
    .getPreEmitDiagnostics()
    .map(
      diagnostic =>
        `${diagnostic.getSourceFile()?.getFilePath()}:${diagnostic.getLineNumber()} ${ts.flattenDiagnosticMessageText(diagnostic.compilerObject.messageText, ' ')}`,
    )
}
