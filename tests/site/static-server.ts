import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** Serves the files of a folder on loopback, as a host of static pages does. */
export async function serveFolder(folder: string): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer(({ url = '/' }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname))
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    try {
      const body = readFileSync(file)
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(body)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found.')
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() }
}
