/** The longest line of generated code. */
export const lineWidth = 120

/**
 * Breaks the lines of TypeScript code that are too long: at brackets, in unions, after `=` and `=>`. So templates write
 * each declaration on one line. Comments stay as they are.
 */
export function wrapLines(code: string): string {
  return code.replace(longLine, line => (comment.test(line) ? line : wrapStatement(line)))
}

const longLine = new RegExp(`^.{${lineWidth + 1},}$`, 'gm')
const comment = /^ *(?:\/?\*|\/\/)/

function wrapStatement(line: string): string {
  const indentation = /^ */.exec(line)?.[0].length ?? 0
  const margin = ' '.repeat(indentation)
  const alias = /^export type .*? = (?=\w)/.exec(mask(line))?.[0]
  if (alias === undefined || isUnion(line.slice(alias.length))) {
    return margin + wrap(line.slice(indentation), indentation, indentation, 0)
  }
  return `${line.slice(0, alias.length - 1)}\n  ${wrap(line.slice(alias.length), 2, 2, 0)}`
}

const isUnion = (code: string): boolean => splitTopLevel(code, ' | ').length > 1

/** As many members a line as fit, each after its bar. */
function fill(members: readonly string[], width: number): readonly string[] {
  const lines: string[] = []
  for (const member of members) {
    const longer = `${lines.at(-1)} | ${member}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(`| ${member}`)
  }
  return lines
}

/**
 * Code on one line if it fits, else on several.
 *
 * @param indentation of the line on which it starts
 * @param before the columns that are taken before it on that line
 * @param after the columns that must be free after it
 */
function wrap(code: string, indentation: number, before: number, after: number): string {
  if (before + code.length + after <= lineWidth) return code
  const margin = ' '.repeat(indentation)
  const masked = mask(code)
  const name = declaredName.exec(masked)?.[0] ?? ''
  if (name !== '' && isUnion(code.slice(name.length))) {
    const lines = fill(splitTopLevel(code.slice(name.length), ' | '), lineWidth - indentation - 2)
    return code.slice(0, name.length - 1) + lines.map(line => `\n${margin}  ${line}`).join('')
  }
  const arrow = masked.search(/ => [^{]/)
  if (arrow >= 0) return `${code.slice(0, arrow)} =>\n${margin}  ${code.slice(arrow + ' => '.length)}`
  const members = splitTopLevel(code, ' | ')
  if (members.length > 1) return members.map(member => `| ${member}`).join(`\n${margin}`)
  const group = longestGroup(masked)
  if (group === undefined) return code
  const content = code.slice(group.start + 1, group.end - 1).trim()
  const open = code.charAt(group.start)
  const isTypeLiteral = open === '{' && /^readonly |; /.test(mask(content))
  const items = splitTopLevel(content, isTypeLiteral ? '; ' : ', ')
  const separator = isTypeLiteral ? '' : ','
  const isExpression =
    open === '(' && /(?:^|[ (])$/.test(code.slice(0, group.start)) && !/^: | =>/.test(code.slice(group.end))
  const last = !isExpression && (open === '(' || open === '{') ? separator : ''
  const lines = items.map(item => `${margin}  ${wrap(item, indentation + 2, indentation + 2, 1)}`)
  return `${code.slice(0, group.start + 1)}\n${lines.join(`${separator}\n`)}${last}\n${margin}${code.slice(group.end - 1)}`
}

/** The text before the type of a member or of an alias. */
const declaredName = /^(?:(?:readonly )?[^\s:]+: |(?:export )?type .*? = )/

interface Range {
  readonly start: number
  readonly end: number
}

/** The longest pair of brackets with something in it. */
function longestGroup(masked: string): Range | undefined {
  const groups = Array.from(masked.matchAll(/[<([{]_+[>)\]}]/g), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }))
  return groups.reduce<Range | undefined>(
    (longest, group) =>
      longest === undefined || group.end - group.start > longest.end - longest.start ? group : longest,
    undefined,
  )
}

/** Splits code at a separator, but not inside brackets or literals. */
function splitTopLevel(code: string, separator: string): readonly string[] {
  const masked = mask(code)
  const parts: string[] = []
  let start = 0
  for (let at = masked.indexOf(separator); at >= 0; at = masked.indexOf(separator, start)) {
    parts.push(code.slice(start, at))
    start = at + separator.length
  }
  return [...parts, code.slice(start)]
}

/** The code with an underscore for each character inside brackets, strings and regular expressions. */
function mask(code: string): string {
  let masked = ''
  let depth = 0
  const add = (end: number): void => {
    masked += depth > 0 ? '_'.repeat(end - masked.length) : code.slice(masked.length, end)
  }
  for (const { 0: token, index } of code.matchAll(bracketOrLiteral)) {
    add(index)
    if (token.length > 1) masked += '_'.repeat(token.length)
    else if (opening.has(token)) {
      add(index + 1)
      depth++
    } else {
      if (token !== '>' || code.charAt(index - 1) !== '=') depth--
      add(index + 1)
    }
  }
  add(code.length)
  return masked
}

const opening: ReadonlySet<string> = new Set('<([{')
const bracketOrLiteral = /(['"`/])(?:\\.|(?!\1)[^\\])*\1|[<([{)\]}>]/g
