import { ServiceCrash } from '../service/service.js'
import { changeNodes, changeStrings, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('filter')

const isTextTest = (name: string): boolean => ['contains', 'startswith', 'endswith'].includes(name)

/** Confuses a function with another one. */
function swapped(from: string, to: string): Mutant {
  return mutant(`${from}-as-${to}`, `The function ${from} is computed as ${to}.`, correct => ({
    call: (name, values, nodes, env) => correct.call(name === from ? to : name, values, nodes, env),
  }))
}

/** Treats characters of a text as wildcards. */
function patterned(name: string, statement: string, pattern: (text: string) => string): Mutant {
  return mutant(name, statement, correct => ({
    call: (called, values, nodes, env) => {
      const [text, part] = values
      if (!isTextTest(called) || typeof text !== 'string' || typeof part !== 'string') {
        return correct.call(called, values, nodes, env)
      }
      const start = called === 'startswith' ? '^' : ''
      const end = called === 'endswith' ? '$' : ''
      return new RegExp(`${start}${pattern(part)}${end}`, 'su').test(text)
    },
  }))
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Faults of functions and their string arguments. */
export const filterFunctionMutants: readonly Mutant[] = [
  swapped('startswith', 'contains'),
  swapped('endswith', 'contains'),
  swapped('endswith', 'startswith'),
  swapped('contains', 'startswith'),
  mutant('startswith-at-words', 'startsWith finds the beginning of each word.', correct => ({
    call: (name, values, nodes, env) => {
      const [text, part] = values
      return name === 'startswith' && typeof text === 'string' && typeof part === 'string'
        ? text.startsWith(part) || text.split(' ').some(word => word.startsWith(part))
        : correct.call(name, values, nodes, env)
    },
  })),
  mutant('startswith-empty-finds-nothing', 'startsWith with an empty text matches no row.', correct => ({
    call: (name, values, nodes, env) =>
      name === 'startswith' && values[1] === '' ? false : correct.call(name, values, nodes, env),
  })),
  mutant('letters-beyond-ascii-alike', 'Functions take all letters beyond ASCII as the same letter.', correct => ({
    call: (name, values, nodes, env) =>
      correct.call(
        name,
        values.map(value => (typeof value === 'string' ? value.replace(/[^\0-\x7f]/gu, '?') : value)),
        nodes,
        env,
      ),
  })),
  mutant('literal-ends-at-parenthesis', 'A parenthesis in the text of a function ends it.', correct => ({
    call: (name, values, nodes, env) => {
      const [text = null, part] = values
      return isTextTest(name) && typeof part === 'string'
        ? correct.call(name, [text, part.split(')')[0] ?? ''], nodes, env)
        : correct.call(name, values, nodes, env)
    },
  })),
  mutant('contains-arguments-swapped', 'contains searches for the property in the literal.', correct => ({
    call: (name, values, nodes, env) =>
      correct.call(name, name === 'contains' ? [...values].reverse() : values, nodes, env),
  })),
  mutant('literal-with-keyword-refused', 'A literal that contains the word and or or is refused.', correct => ({
    reject: (options, at) =>
      /eq(?: |%20)(?:'|%27)[^'=]*?(?: |%20)(?:and|or)(?: |%20)/.test(at.request.query)
        ? correct.rejectMalformed('Invalid filter.', at)
        : correct.reject(options, at),
  })),
  mutant('contains-needs-more', 'contains does not find a text at the end.', correct => ({
    call: (name, values, nodes, env) => {
      const [text, part] = values
      return name === 'contains' && typeof text === 'string'
        ? correct.call(name, [text.slice(0, -1), part ?? null], nodes, env)
        : correct.call(name, values, nodes, env)
    },
  })),
  mutant('endswith-needs-more', 'endsWith does not find a text that is the whole value.', correct => ({
    call: (name, values, nodes, env) =>
      name === 'endswith' && values[0] === values[1] ? false : correct.call(name, values, nodes, env),
  })),
  mutant('endswith-first-occurrence', 'endsWith looks at the first occurrence only.', correct => ({
    call: (name, values, nodes, env) => {
      const [text, part] = values
      return name === 'endswith' && typeof text === 'string' && typeof part === 'string' && part !== ''
        ? text.indexOf(part) === text.length - part.length
        : correct.call(name, values, nodes, env)
    },
  })),
  mutant('quote-doubled-in-functions', 'A doubled apostrophe stays doubled in the text of a function.', correct => ({
    call: (name, values, nodes, env) => {
      const [text = null, part] = values
      return isTextTest(name) && typeof part === 'string'
        ? correct.call(name, [text, part.replaceAll("'", "''")], nodes, env)
        : correct.call(name, values, nodes, env)
    },
  })),
  mutant('function-of-null-crashes', 'A function of a null value causes an internal error.', correct => ({
    call: (name, values, nodes, env) => {
      if (isTextTest(name) && values.includes(null)) throw new ServiceCrash()
      return correct.call(name, values, nodes, env)
    },
  })),
  mutant(
    'short-text-crashes',
    'endsWith of a text that is shorter than its end causes an internal error.',
    correct => ({
      call: (name, values, nodes, env) => {
        const [text, end] = values
        if (name === 'endswith' && typeof text === 'string' && typeof end === 'string' && text.length < end.length)
          throw new ServiceCrash()
        return correct.call(name, values, nodes, env)
      },
    }),
  ),
  mutant('function-of-null-as-text', 'Functions take null for the text null.', correct => ({
    call: (name, values, nodes, env) =>
      isTextTest(name)
        ? correct.call(name, [values[0] ?? 'null', ...values.slice(1)], nodes, env)
        : correct.call(name, values, nodes, env),
  })),
  mutant('function-of-null-is-true', 'startsWith of a null value is true.', correct => ({
    call: (name, values, nodes, env) =>
      name === 'startswith' && values[0] === null ? true : correct.call(name, values, nodes, env),
  })),
  mutant('tolower-ignored', 'tolower has no effect.', correct => ({
    call: (name, values, nodes, env) =>
      name === 'tolower' ? (values[0] ?? null) : correct.call(name, values, nodes, env),
  })),
  mutant('tolower-of-ascii', 'tolower ignores non-ASCII letters.', correct => ({
    call: (name, values, nodes, env) => {
      const [text] = values
      return name === 'tolower' && typeof text === 'string'
        ? text.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
        : correct.call(name, values, nodes, env)
    },
  })),
  mutant('tolower-inside-ignored', 'tolower has no effect inside another function.', () =>
    changeNodes(node => {
      if (node.kind !== 'call' || !isTextTest(node.function)) return node
      const [first, ...others] = node.arguments
      const inner = first?.kind === 'call' && first.function === 'tolower' ? first.arguments[0] : undefined
      return inner === undefined ? node : { ...node, arguments: [inner, ...others] }
    }),
  ),
  patterned('like-wildcards', 'In functions, % and _ are wildcards.', part =>
    escaped(part).replaceAll('%', '.*').replaceAll('_', '.'),
  ),
  mutant('contains-wildcards', 'In contains, % is a wildcard.', correct => ({
    call: (name, values, nodes, env) => {
      const [text, part] = values
      if (name !== 'contains' || typeof text !== 'string' || typeof part !== 'string')
        return correct.call(name, values, nodes, env)
      return new RegExp(escaped(part).replaceAll('%', '.*'), 'su').test(text)
    },
  })),
  patterned('dot-is-any', 'In functions, a dot matches any character.', part => escaped(part).replaceAll('\\.', '.')),
  patterned('star-is-any', 'In functions, an asterisk matches any text.', part =>
    escaped(part).replaceAll('\\*', '.*'),
  ),
  mutant('apostrophe-stays-doubled', 'A doubled quote in a literal stays doubled.', () =>
    changeStrings(text => text.replaceAll("'", "''")),
  ),
  mutant('apostrophe-ends-text', 'A literal ends at its first quote.', () =>
    changeStrings(text => text.split("'")[0] ?? ''),
  ),
  mutant('backslash-escapes', 'A backslash in a literal is treated as an escape character.', () =>
    changeStrings(text => text.replaceAll('\\', '')),
  ),
  mutant('plus-is-a-space', 'An encoded plus in the query becomes a space.', () => ({
    readQuery: text => text.replaceAll(/%2B/gi, '%20'),
  })),
  mutant('ampersand-cuts', 'The query is decoded before it is split, so an encoded ampersand ends the option.', () => ({
    readQuery: text => text.replaceAll(/%26[^&]*/gi, "'"),
  })),
  mutant('percent-is-dropped', 'The query is decoded twice, so a percent sign is lost.', () => ({
    readQuery: text => text.replaceAll(/%25/gi, ''),
  })),
  mutant('query-decoded-twice', 'A query in which that is possible is decoded twice.', () => ({
    readQuery: text => (/%25(?![0-9a-f]{2})/i.test(text) ? text : text.replaceAll('%25', '%')),
  })),
  mutant('literal-trimmed', 'Trailing spaces of a literal are lost.', () => changeStrings(text => text.trimEnd())),
  mutant('literal-spaces-collapsed', 'Several spaces in a literal become one.', () =>
    changeStrings(text => text.replaceAll(/ {2,}/g, ' ')),
  ),
  mutant('beyond-first-plane-lost', 'Characters outside the Basic Multilingual Plane are lost from literals.', () =>
    changeStrings(text => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  ),
  mutant('literal-cut', 'A literal is truncated to eight characters.', () =>
    changeStrings(text => [...text].slice(0, 8).join('')),
  ),
]
