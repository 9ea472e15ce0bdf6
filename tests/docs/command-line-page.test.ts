import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exitCode } from '../../bin/output.js'
import { runCommand } from '../../bin/testing/run-command.js'
import { root } from '../root.js'

const page = readFileSync(join(root, 'docs', 'command-line.md'), 'utf8')

/** The text of a section of the page. */
const section = (heading: string): string => page.split(/^## /m).find(text => text.startsWith(`${heading}\n`)) ?? ''

const helpOf = async (...command: readonly string[]): Promise<string> =>
  (await runCommand(root, ...command, '--help')).out

async function commands(): Promise<readonly string[]> {
  const [, listed = ''] = (await helpOf()).split('Commands:\n')
  return [...(listed.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = '']) => name)
}

const optionsIn = (text: string): readonly string[] => [...new Set(text.match(/--[a-z][a-z-]*/g))]

describe('docs/command-line.md', () => {
  it('has a section for every command, which names all of its options', async () => {
    const missing: string[] = []
    for (const name of (await commands()).filter(command => command !== 'help')) {
      const text = section(name)
      if (!page.includes(`| [\`${name}\`](#${name}) |`) || text === '') missing.push(name)
      const [, listed = ''] = (await helpOf(name)).split('Options:\n')
      const options = listed.split('\n\n')[0]?.match(/^ {2}(?:-\w, )?--[a-z-]+/gm) ?? []
      for (const option of options.flatMap(optionsIn)) {
        if (option !== '--help' && !text.includes(`\`${option}`)) missing.push(`${name} ${option}`)
      }
    }
    expect(missing).toEqual([])
  })

  it('names no unknown option', async () => {
    const known = new Set(['--save-dev', ...optionsIn(await helpOf())])
    for (const name of await commands()) for (const option of optionsIn(await helpOf(name))) known.add(option)
    expect(optionsIn(page).filter(option => !known.has(option))).toEqual([])
  })

  it('and all other pages name only options that the command has', async () => {
    const wrong: string[] = []
    let count = 0
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...readdirSync(join(root, 'docs'))
        .filter(name => name.endsWith('.md'))
        .map(name => join('docs', name)),
    ]
    for (const name of pages) {
      const text = readFileSync(join(root, name), 'utf8').replace(/^```.*?^```$/gms, '')
      for (const [, words = ''] of text.matchAll(/`(?:npx )?specwright ([^`]+)`/g)) {
        const [command = ''] = words.split(/\s/)
        if (!/^[a-z]+$/.test(command)) continue
        count++
        const known = [...optionsIn(await helpOf(command)), '--help']
        if (!(await commands()).includes(command)) wrong.push(`${name}: ${words}`)
        wrong.push(...optionsIn(words).flatMap(option => (known.includes(option) ? [] : [`${name}: ${words}`])))
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(15)
  })

  it('lists all exit codes', () => {
    const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
    expect(listed).toEqual([...new Set(Object.values(exitCode))])
  })
})
