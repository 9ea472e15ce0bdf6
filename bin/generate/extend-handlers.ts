import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plan } from '../../generator/plan/planned-file.js'
import type { Service } from '../../spec/language/index.js'
import { countOf } from '../count-of.js'
import type { Terminal } from '../terminal.js'
import { usable } from './usable.js'

/** Adds stubs for new operations to the handler files that were there before, and says what it could not tell. */
export async function extendHandlers(
  terminal: Terminal,
  { service, plan }: { readonly service: Service; readonly plan: Plan },
): Promise<void> {
  const [{ decideNames }, { handlersFiles }, { addHandlers }] = await Promise.all([
    import('../../generator/names/decide-names.js'),
    import('../../generator/emit/handlers/handlers-files.js'),
    import('../../generator/add-handlers/add-handlers.js'),
  ])
  const existing = new Set(plan.files.flatMap(({ action, path }) => (action === 'same' ? [path] : [])))
  for (const { path, stubs } of handlersFiles(service, decideNames(service).names)) {
    if (!existing.has(path)) continue
    const file = join(plan.folder, path)
    const shown = relative(terminal.cwd, file)
    const bytes = await usable(file, () => readFile(file))
    const text = bytes.toString('utf8')
    if (!Buffer.from(text, 'utf8').equals(bytes)) {
      terminal.err(`${shown}: left alone, because it is not UTF-8`)
      continue
    }
    const extended = await addHandlers(text, stubs)
    for (const { line, message } of extended.problems) terminal.err(`${shown}:${line}: ${message}`)
    if (extended.added.length === 0) continue
    await usable(file, () => writeFile(file, extended.text))
    terminal.out(`${shown}: ${countOf(extended.added.length, 'handler')} added (${extended.added.join(', ')})`)
  }
}
