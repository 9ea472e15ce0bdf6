import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../package-root.js'
import { runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

// Tests the scripts in their shells, with the built command.

const folder = temporaryFolders()
const isInstalled = (shell: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some(path => existsSync(join(path, shell)))

/** Makes a shell complete without a user: prints the completions of the end of `$LINE`, one a line. */
const asking: Readonly<Record<string, { readonly args: readonly string[]; readonly ask: string }>> = {
  bash: {
    args: ['--norc', '--noprofile', '-c'],
    // Readline also splits words at ":" and "=", and passes the part after the last of them.
    ask: `
COMP_LINE="$LINE" COMP_POINT=\${#LINE}
word="\${LINE##*[[:space:]]}"
COMP_WORDS=(specwright "$word") COMP_CWORD=1
_specwright specwright "\${word##*[:=]}" specwright
kept="\${word%"\${word##*[:=]}"}"
for reply in "\${COMPREPLY[@]}"; do printf '%s\\n' "$kept$reply"; done`,
  },
  fish: { args: ['--no-config', '-c'], ask: `complete -C "$LINE" | string replace -r '\\t.*' ''; true` },
  zsh: {
    args: ['-f', '-c'],
    // A stub for a command that only works interactively: it prints its arguments.
    ask: `
compset() { kept=\${2//\\\\/}; PREFIX=\${PREFIX#$kept} }
_describe() { local -a given; given=("\${(@P)3}"); print -rl -- \${\${\${given//\\\\:/$'\\1'}%%:*}//$'\\1'/:} }
_files() {
  setopt local_options null_glob
  local -a found
  if [[ $1 == -/ ]]; then found=(\${~:-$PREFIX*(-/)}); else found=(\${~:-$PREFIX\${2:-*}} \${~:-$PREFIX*(-/)}); fi
  (( $#found )) && print -rl -- "$kept"$^found
}
kept=''
words=(\${(z)LINE}); [[ $LINE == *' ' ]] && words+=('')
CURRENT=$#words PREFIX=$words[-1]
_specwright`,
  },
}

const shells = Object.keys(asking).filter(isInstalled)

describe('completion scripts', () => {
  it('are tested in at least one shell', () => {
    expect(shells).not.toEqual([])
  })

  it.each(Object.keys(asking))('for %s call the command itself, and contain no names', async shell => {
    const { code, out } = await runCommand(packageRoot(), 'completion', shell)
    expect(code).toBe(0)
    expect(out).toContain(`specwright completion ${shell} --line`)
    expect(out).not.toMatch(/validate|--format/)
  })

  it.each(shells)('for %s complete words, files, folders, lists and values', async shell => {
    const { out: script } = await runCommand(packageRoot(), 'completion', shell)
    const home = folder()
    const cwd = join(home, 'project')
    mkdirSync(join(cwd, 'src'), { recursive: true })
    for (const name of ['a.yaml', 'b.yml', 'c.txt', 'src/d.yaml']) writeFileSync(join(cwd, name), '')
    const command = join(home, 'specwright')
    const built = join(packageRoot(), 'dist', 'cli', 'specwright.js')
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${built}" "$@"\n`)
    chmodSync(command, 0o755)
    const { args = [], ask = '' } = asking[shell] ?? {}
    const begin = shell === 'zsh' ? 'compdef() { : }\n' : ''
    const complete = (line: string): readonly string[] => {
      const env = { ...process.env, PATH: `${home}${delimiter}${process.env['PATH']}`, LINE: line, HOME: home }
      const printed = execFileSync(shell, [...args, `${begin}${script}\n${ask}`], { cwd, env, encoding: 'utf8' })
      return printed
        .split('\n')
        .filter(text => text !== '')
        .map(text => text.replace(/\/$/, ''))
        .sort()
    }
    expect(complete('specwright val')).toEqual(['validate'])
    expect(complete('specwright validate --for')).toEqual(['--format'])
    expect(complete('specwright export a.yaml --format csdl')).toEqual(['csdl-json', 'csdl-xml'])
    expect(complete('specwright export a.yaml --format=csdl')).toEqual(['--format=csdl-json', '--format=csdl-xml'])
    expect(complete('specwright generate a.yaml --only types,s')).toEqual(['types,server'])
    expect(complete('specwright validate ')).toEqual(['a.yaml', 'b.yml', 'src'])
    expect(complete('specwright validate src/')).toEqual(['src/d.yaml'])
    expect(complete('specwright generate a.yaml --out ')).toEqual(['src'])
    expect(complete('specwright generate a.yaml --out=s')).toEqual(['--out=src'])
    expect(complete('specwright serve --store sqlite::')).toEqual(['sqlite::memory:'])
    expect(complete('specwright serve --store sqlite:c')).toEqual(['sqlite:c.txt'])
  })
})
