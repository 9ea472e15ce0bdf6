import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Writes the pictures of the README from a real run: the conformance suite against the example service with a known
// fault. The picture of the report needs Chromium: `npm run pictures`.

const example = 'examples/conformance-in-vitest'
const port = '8080'
const shown = `npx specwright conformance http://localhost:${port}/v1.0 --spec todo.yaml --token secret --seed 1`
const options = ['--spec', `${example}/todo.yaml`, '--token', 'secret', '--seed', '1']
const columns = 100

execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', example], { stdio: 'inherit' })
const folder = mkdtempSync(join(tmpdir(), 'specwright-'))
const service = spawn(process.execPath, [`${example}/dist/src/main.js`], { env: { ...process.env, PORT: port } })
try {
  await new Promise(ready => service.stdout.once('data', ready))
  const report = join(folder, 'report.html')
  const url = `http://localhost:${port}/v1.0`
  const { stdout } = spawnSync(
    process.execPath,
    ['dist/cli/specwright.js', 'conformance', url, ...options, '--report', report],
    { encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '1', COLUMNS: String(columns) } },
  )
  mkdirSync('docs/images', { recursive: true })
  writeFileSync('docs/images/conformance.svg', terminalSvg(`\u001B[2m$\u001B[0m ${shown}\n\n${firstAndLast(stdout)}`))
  const size = '--window-size=1100,760'
  const png = '--screenshot=docs/images/report.png'
  execFileSync('chromium', ['--headless', '--no-sandbox', '--hide-scrollbars', size, png, `file://${report}`], {
    stdio: 'ignore',
  })
} finally {
  service.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** The first violation and the verdict. */
function firstAndLast(text) {
  const parts = text.trimEnd().split('\n\n')
  return `${parts[0]}\n\n${parts.at(-1)}`
}

/** A picture of a terminal that shows text with ANSI colors. */
function terminalSvg(text) {
  const colours = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 1: '#ffffff', 2: '#8b949e' }
  const lines = text.split('\n').flatMap(line => wrapped(line))
  const height = 18
  const rows = lines.map((line, row) => {
    let fill = '#c9d1d9'
    let spans = ''
    for (const part of line.split(/(\u001B\[\d+m)/)) {
      const code = /^\u001B\[(\d+)m$/.exec(part)
      if (code !== null) fill = colours[code[1]] ?? '#c9d1d9'
      else if (part !== '') spans += `<tspan fill="${fill}">${escapeXml(part)}</tspan>`
    }
    return `<text x="16" y="${46 + row * height}" xml:space="preserve">${spans}</text>`
  })
  const width = columns * 7.83 + 32
  const total = 56 + lines.length * height
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" role="img" aria-label="The conformance suite reports a violation with the request that shows it">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="20" cy="18" r="5" fill="#ff5f57"/><circle cx="38" cy="18" r="5" fill="#febc2e"/><circle cx="56" cy="18" r="5" fill="#28c840"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
${rows.join('\n')}
</g>
</svg>
`
}

/** Lines that a terminal of this width would show: long commands are not wrapped in the output. */
function wrapped(line) {
  if (line.length <= columns + 20) return [line]
  return [`${line.slice(0, columns - 1)}…`]
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
