import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

/** Several checkers finish earlier, but each of them checks the shared declarations again. The other tests need the cores. */
export const oneChecker = ['--checkers', '1'] as const

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

const configuration = {
  compilerOptions: {
    ...strictest,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    types: [],
    noEmit: true,
    // The compiler's own libraries are not checked: that takes half of its time.
    skipDefaultLibCheck: true,
  },
  include: ['**/*'],
}

/** What the compiler prints about files in one folder, under the strictest flags; empty if they compile. */
export async function compileErrors(files: readonly GeneratedFile[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-compiled-'))
  try {
    const added = [
      { path: 'package.json', text: '{ "type": "module" }' },
      { path: 'tsconfig.json', text: JSON.stringify(configuration) },
    ]
    for (const { path, text } of [...files, ...added]) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    return await new Promise(resolve => {
      execFile(
        process.execPath,
        [compiler, '-p', '.', '--pretty', 'false', ...oneChecker],
        { cwd: folder },
        (error, stdout) => resolve(error === null ? '' : stdout || String(error)),
      )
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
