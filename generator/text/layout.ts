/** The longest line of generated code. */
export const lineWidth = 120

/** A piece of code that stands on one line where it fits, and is broken over several where it does not. */
export interface Breakable {
  readonly flat: string
  /** Its lines, when the line that it begins on is indented by so many columns. */
  readonly broken: (indentation: number) => string
}

/** A piece that is never broken. */
export const unbroken = (text: string): Breakable => ({ flat: text, broken: () => text })

/**
 * Lays a piece out.
 *
 * @param indentation how many columns the line that it begins on is indented by
 * @param before how many columns stand before it on that line
 * @param after how many columns must fit behind it
 */
export function layOut({ flat, broken }: Breakable, indentation: number, before: number, after = 0): string {
  return before + flat.length + after <= lineWidth ? flat : broken(indentation)
}

/** Items between brackets: type arguments, call arguments, members. Broken, one item a line. */
export function bracketed(open: string, items: readonly Breakable[], close: string, lastComma: ',' | ''): Breakable {
  return {
    flat: flatItems(open, items, close),
    broken: indentation => {
      const inner = indentation + 2
      const lines = items.map(item => ' '.repeat(inner) + layOut(item, inner, inner, 1))
      return `${open}\n${lines.join(',\n')}${lastComma}\n${' '.repeat(indentation)}${close}`
    },
  }
}

/** Members of a union as an item of its own: broken, one a line, each behind its bar. */
export function union(members: readonly string[]): Breakable {
  const flat = members.length === 0 ? 'never' : members.join(' | ')
  return {
    flat,
    broken: indentation =>
      members.length < 2 ? flat : members.map(member => `| ${member}`).join(`\n${' '.repeat(indentation)}`),
  }
}

/** A union behind a colon or an equals sign: broken, it begins on the next line, with as many members a line as fit. */
export function unionBehind(members: readonly string[]): Breakable {
  return {
    flat: union(members).flat,
    broken: indentation => {
      const lines: string[] = []
      let line = ''
      for (const member of members) {
        const longer = `${line}${line === '' ? '' : ' '}| ${member}`
        if (line !== '' && indentation + 2 + longer.length > lineWidth) {
          lines.push(line)
          line = `| ${member}`
        } else line = longer
      }
      return [...lines, line].map(text => `\n${' '.repeat(indentation + 2)}${text}`).join('')
    },
  }
}

/** Too long for any line: what is longer yet is not put together, so that the work stays linear in the size of the code. */
const neverFits = ' '.repeat(lineWidth + 1)

function flatItems(open: string, items: readonly Breakable[], close: string): string {
  let text = open
  let separator = ''
  for (const { flat } of items) {
    text += separator + flat
    separator = ', '
    if (text.length > lineWidth) return neverFits
  }
  return text + close
}

/** A piece behind a label. */
export const labelled = (label: string, piece: Breakable): Breakable => ({
  flat: label + piece.flat,
  broken: indentation => label + layOut(piece, indentation, indentation + label.length, 1),
})

/** Braces with a space inside, when they are on one line. */
export const spaced = ({ flat, broken }: Breakable): Breakable => ({ flat: `{ ${flat.slice(1, -1)} }`, broken })
