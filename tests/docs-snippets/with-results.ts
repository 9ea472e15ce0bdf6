const result = /^(.*?)\s*\/\/ (→|throws) (.*)$/
const declaration = /^const (\w+) = (.*)$/

/**
 * Makes the results that a snippet tells true or an error. `// → value` stands behind an expression on one line, or on the
 * line below it; so does `// throws message`.
 */
export function withResults(snippet: string): string {
  return snippet
    .replace(/\n\/\/ (→|throws) /g, ' // $1 ')
    .split('\n')
    .map(line => {
      const [, code = '', kind, told] = result.exec(line) ?? []
      if (kind === undefined) return line
      const expected = JSON.stringify(told)
      const [, name, value] = declaration.exec(code) ?? []
      if (kind === 'throws') return `await throwing(async () => ${code}, ${expected})`
      return name === undefined
        ? `shows(${code}, ${expected})`
        : `const ${name} = ${value}; shows(${name}, ${expected})`
    })
    .join('\n')
}

/** What rewritten snippets import: `./shows.js`. */
export const showsModule = `import { inspect } from 'node:util'

function demand(found: string, told: string): void {
  if (found !== told) throw new Error(\`The page says \${told}\\nbut it is     \${found}\`)
}

export function shows(value: unknown, told: string): void {
  demand(inspect(value, { depth: 20, breakLength: Infinity, compact: true }), told)
}

export async function throwing(act: () => unknown, told: string): Promise<void> {
  let found = 'nothing'
  try {
    await act()
  } catch (error) {
    found = String(error)
  }
  demand(found, told)
}
`
