import { EdgeVM } from '@edge-runtime/vm'
import { build } from 'esbuild'

/** The function that the runtime calls for each request. */
export type Worker = (path: string, token: string, environment: object) => Promise<Response>

/**
 * Loads the worker as its runtime does: one bundled script in Vercel's Edge Runtime, with the `fetch` and classes of that runtime,
 * without Node.js and without `eval`.
 */
export async function loadWorker(): Promise<Worker> {
  const { outputFiles } = await build({
    entryPoints: [new URL('../src/worker.ts', import.meta.url).pathname],
    bundle: true,
    format: 'iife',
    globalName: 'worker',
    minify: true,
    platform: 'neutral',
    write: false,
  })
  const runtime = new EdgeVM()
  runtime.evaluate(outputFiles[0]?.text ?? '')
  return runtime.evaluate<Worker>(`(path, token, environment) => {
    const headers = { authorization: 'Bearer ' + token }
    return worker.default.fetch(new Request('https://worker.example' + path, { headers }), environment)
  }`)
}
