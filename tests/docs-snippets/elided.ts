/** Whether a text is what a page shows of it: `…` stands for any text of a line, on a line of its own for any lines. */
export function isElided(shown: string, printed: string): boolean {
  const lines = shown.split('\n').map(line => (line === '…' ? '(?:.*\\n)*?' : `${patternOf(line)}\\n`))
  return new RegExp(`^${lines.join('')}$`).test(`${printed}\n`)
}

const patternOf = (line: string): string => line.split('…').map(escaped).join('.*')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
