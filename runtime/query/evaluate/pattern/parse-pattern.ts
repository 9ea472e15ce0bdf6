import { EvaluationError } from '../../evaluation-error.js'
import { maxNesting } from '../../max-nesting.js'
import type { PatternNode } from './syntax.js'

const groupStart = /\((?:\?(?::|<(?![=!])[^>]*>))?/uy
const atom = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|./suy
const trailingSurrogate = /\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}/uy
const leadingSurrogate = /^\\u[Dd][89ABab]/
const quantifier = /(?:([*+?])|\{([0-9]+)(,?)([0-9]*)\})\??/uy

/** The structure of a regular expression of ECMAScript that is known to be valid with the flag `u`. */
export function parsePattern(pattern: string): PatternNode {
  return new PatternParser(pattern).alternatives(0)
}

class PatternParser {
  readonly #pattern: string
  #position = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  alternatives(nesting: number): PatternNode {
    if (nesting > maxNesting) throw new EvaluationError(`The pattern nests deeper than ${maxNesting} levels.`)
    const nodes = [this.#sequence(nesting)]
    while (this.#pattern[this.#position] === '|') {
      this.#position += 1
      nodes.push(this.#sequence(nesting))
    }
    return { kind: 'alternatives', nodes }
  }

  #sequence(nesting: number): PatternNode {
    const nodes: PatternNode[] = []
    while (this.#position < this.#pattern.length) {
      const next = this.#pattern[this.#position]
      if (next === '|' || next === ')') break
      nodes.push(this.#quantified(next === '(' ? this.#group(nesting) : this.#single()))
    }
    return { kind: 'sequence', nodes }
  }

  #group(nesting: number): PatternNode {
    if (/^\(\?<?[=!]/.test(this.#pattern.slice(this.#position, this.#position + 4)))
      unsupported('looks ahead or behind')
    if (this.#take(groupStart) === undefined) unsupported('has a group of an unknown kind')
    const node = this.alternatives(nesting + 1)
    this.#position += 1
    return node
  }

  #single(): PatternNode {
    const source = this.#take(atom)?.[0] ?? ''
    if (/^\\[1-9k]/.test(source)) unsupported('refers back to a group')
    if (source === '^' || source === '$' || source === '\\b' || source === '\\B') return { kind: 'assertion', source }
    const rest = leadingSurrogate.test(source) ? (this.#take(trailingSurrogate)?.[0] ?? '') : ''
    return { kind: 'atom', source: source + rest }
  }

  #quantified(node: PatternNode): PatternNode {
    const found = this.#take(quantifier)
    if (found === undefined) return node
    const [, symbol, least = '0', comma, most = ''] = found
    if (symbol !== undefined) {
      return {
        kind: 'repeat',
        node,
        least: symbol === '+' ? 1 : 0,
        most: symbol === '?' ? 1 : Number.POSITIVE_INFINITY,
      }
    }
    const limit = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    return { kind: 'repeat', node, least: Number(least), most: limit }
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#position
    const found = expression.exec(this.#pattern) ?? undefined
    if (found !== undefined) this.#position += found[0].length
    return found
  }
}

function unsupported(what: string): never {
  throw new EvaluationError(`The pattern ${what}, which cannot be matched in time linear in the text.`)
}
