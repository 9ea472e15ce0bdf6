import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

/**
 * Bundles an app with its client, minified, once for a browser and once for Node.
 *
 * @param {string} name of the file in `apps/`
 * @param {string} folder with what was generated; the bundles are written into it
 * @param {'browser' | 'node'} platform that is measured: `node` where a client runs nowhere else
 * @returns {Promise<{ minified: number, gzipped: number, runnable: string }>} sizes in bytes, and the bundle for Node
 */
export async function bundle(name, folder, platform) {
  const entry = join(folder, `${name}-entry.ts`)
  const app = fileURLToPath(new URL(`apps/${name}.ts`, import.meta.url))
  writeFileSync(entry, `export { app } from ${JSON.stringify(app)}\n`)
  const common = {
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    alias: { 'bench-generated': folder },
    nodePaths: [packages],
    logLevel: 'error',
    // CommonJS code inside a module needs these.
    ...(platform === 'node' && {
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    }),
  }
  const measured = join(folder, `${name}-${platform}.mjs`)
  const runnable = join(folder, `${name}-node.mjs`)
  await build({ ...common, platform, outfile: measured })
  if (platform !== 'node') await build({ ...common, platform: 'node', outfile: runnable })
  return { minified: statSync(measured).size, gzipped: gzipSync(readFileSync(measured), { level: 9 }).length, runnable }
}
