import { mkdirSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

/** Writes the style and the script of the page of `specwright serve`. */
export async function writePage(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: ['reference/host/assets/console.mjs', 'reference/host/assets/page.css'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
  })
}
