import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { strictest } from '../../generator/testing/compile-errors.js'
import { root } from '../root.js'
import { checkKindOf, codeBlocksOf } from './page.js'
import { generatedModules } from './programs.js'

// React, TanStack Query, SWR and Svelte have more than 20 MB. Their types are declared here as far as the page uses them.

const declarations = `
declare module '@tanstack/react-query' {
  export function useInfiniteQuery<Page, Param>(options: {
    queryKey: readonly unknown[]
    queryFn: (context: { pageParam: Param; signal: AbortSignal }) => Promise<Page>
    initialPageParam: Param
    getNextPageParam: (last: Page, all: Page[]) => Param | undefined | null
  }): { data: { pages: Page[] } | undefined; error: Error | null; hasNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}
declare module 'swr/infinite' {
  export default function useSWRInfinite<Page, Key>(
    key: (index: number, previous: Page | null) => Key | null,
    fetcher: (key: Key) => Promise<Page>,
  ): { data: Page[] | undefined; error: unknown; size: number; setSize: (size: number) => Promise<unknown> }
}
declare module 'svelte/store' {
  export interface Readable<Value> {
    subscribe(run: (value: Value) => void, invalidate?: () => void): () => void
  }
  export function writable<Value>(value?: Value): Readable<Value> & { set(value: Value): void }
}
`

it('the recipes for lists in React and Svelte compile under strict flags', async () => {
  const files = codeBlocksOf('docs/query-hooks.md').flatMap(block => {
    const kind = checkKindOf(block)
    return kind.kind === 'recipe' ? [[`${kind.name}.ts`, block.text] as const] : []
  })
  expect(files.map(([path]) => path)).toEqual(['tasks-page.ts', 'tanstack.ts', 'swr.ts', 'svelte.ts'])
  const folder = await mkdtemp(join(tmpdir(), 'specwright-recipes-'))
  try {
    for (const { path, text } of generatedModules('todo', readFileSync(join(root, 'spec', 'starter.yaml'), 'utf8'))) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, `${path}.ts`), text)
    }
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
    const compilerOptions = {
      ...strictest,
      ...{
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: ['node'],
        noEmit: true,
      },
      // Hooks return what the library infers.
      ...{ skipLibCheck: true, declaration: false, isolatedDeclarations: false },
    }
    const include = ['*.ts', 'todo/client.ts']
    const all = [
      ...files,
      ['package.json', '{ "type": "module" }'],
      ['tsconfig.json', JSON.stringify({ compilerOptions, include })],
      ['libraries.d.ts', declarations],
    ] as const
    for (const [path, text] of all) await writeFile(join(folder, path), text)
    const compiler = join(root, 'node_modules', '.bin', 'tsc')
    const said = await promisify(execFile)(compiler, ['-p', '.', '--pretty', 'false'], { cwd: folder }).then(
      () => '',
      (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
    )
    expect(said).toBe('')
  } finally {
    await rm(folder, { recursive: true })
  }
})
