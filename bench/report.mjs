import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

/** A Markdown table; a column of figures is aligned to the right. */
export function table(columns, rows) {
  const texts = rows.map(row => row.map(cell))
  const line = cells => `| ${cells.join(' | ')} |`
  const rule = columns.map((_, index) => (texts.some(row => /^[\d.,]+$/.test(row[index] ?? '')) ? '---:' : '---'))
  return [columns, rule, ...texts].map(line).join('\n')
}

const cell = value => (typeof value === 'number' ? value.toLocaleString('en-US') : value.replaceAll('|', '\\|'))

/**
 * The machine, the date and the load: enough to interpret the figures, nothing that identifies the machine.
 */
export function conditions(command) {
  const [, load = 0] = loadavg()
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  return `Measured on ${date} with \`${command}\`: ${cpus().length} cores (${cpus()[0]?.model}), ${memory} GiB, Node ${process.versions.node}, ${process.platform}; load average ${load.toFixed(1)}.`
}

/** Prints a report and writes it to `results/`. */
export function publish(name, parts) {
  const text = `${parts.join('\n\n')}\n`
  const folder = new URL('./results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.md`, folder), text)
  console.log(text)
}
