import { createContext, Script } from 'node:vm'
import { build } from 'esbuild'

/** What a worker has: the standards of the Web that the WinterTC minimum common API lists, as far as a client uses them. */
const webGlobals = {
  AbortController,
  AbortSignal,
  Headers,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  setTimeout,
}

/** What a runtime calls for each request. */
export type Worker = (request: Request, environment: unknown) => Promise<Response>

/** Loads the worker as its runtime does: one bundled script, among nothing but Web standards. */
export async function loadWorker(fetch: typeof globalThis.fetch): Promise<Worker> {
  const { outputFiles } = await build({
    entryPoints: [new URL('../src/worker.ts', import.meta.url).pathname],
    bundle: true,
    format: 'iife',
    globalName: 'worker',
    minify: true,
    platform: 'neutral',
    write: false,
  })
  const context = createContext({ ...webGlobals, fetch })
  new Script(outputFiles[0]?.text ?? '').runInContext(context)
  return new Script('worker.default.fetch').runInContext(context)
}
