import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.js'
import type { Check, Fence } from './fence.js'

const opening = /^(\s*)(`{3,}|~{3,})\s*(.*)$/
const comment = /<!-- check(?: every (\w+))?: ([^\n]*?)(?:\n([\s\S]*?))?\s*-->\s*$/

/** The fenced blocks of a page, in order. Throws where one cannot be told from the text around it. */
export function readPage(page: string): readonly Fence[] {
  const fences: Fence[] = []
  const defaults = new Map<string, Check>()
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  let before = ''
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, indent = '', marks, language = ''] = opening.exec(line) ?? []
    if (marks === undefined) {
      before += `${line}\n`
      const [, every, words, hidden = ''] = line.trim().endsWith('-->') ? (comment.exec(before) ?? []) : []
      if (every !== undefined) defaults.set(every, { words, hidden })
      continue
    }
    const end = lines.findIndex((text, at) => at > index && text.trimEnd() === indent + marks)
    if (indent !== '' || marks !== '```' || end < 0) {
      throw new Error(`${page}:${index + 1}: write a block between lines of three backticks at the margin.`)
    }
    const text = lines.slice(index + 1, end).join('\n')
    const [, every, words, hidden = ''] = comment.exec(before) ?? []
    const own = words === undefined || every !== undefined ? undefined : { words, hidden }
    const check = own ?? defaults.get(language) ?? { words: undefined, hidden: '' }
    fences.push({ page, line: index + 1, language, text, check })
    before = ''
    index = end
  }
  return fences
}
