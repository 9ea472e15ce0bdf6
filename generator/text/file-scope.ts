import { stringLiteral } from './literals.js'

/** The names that one file declares. */
export interface Scope {
  /** Claims a name. If it is taken, claims it with the suffix, repeated as often as needed. */
  claim(name: string, suffix: string): string
  /** All names that are taken. */
  readonly taken: ReadonlySet<string>
}

/** @param names names that are taken from the start: those that the file uses without declaring them */
export function scope(names: Iterable<string>): Scope {
  const taken = new Set(names)
  return {
    taken,
    claim(name, suffix) {
      let free = name
      while (taken.has(free)) free += suffix
      taken.add(free)
      return free
    },
  }
}

/** The imports of one generated file: which names, from where, under which local name. */
interface ImportList {
  /** Imports a name and returns its local name. A type starts with a capital letter, a value does not. */
  add(name: string, from: string): string
  /** Imports a name that the file has claimed already. */
  own(name: string, from: string, kind: 'type' | 'value'): string
  /** The import statements, sorted by module. */
  lines(): readonly string[]
}

interface Imported {
  readonly name: string
  readonly local: string
  readonly isType: boolean
}

/** Collects the imports of one file. An import that clashes with a name of the file gets another name. */
export function importList(file: Scope): ImportList {
  const modules = new Map<string, Map<string, Imported>>()
  const imported = (name: string, from: string, make: () => Imported): string => {
    const names = modules.get(from) ?? new Map<string, Imported>()
    modules.set(from, names)
    const found = names.get(name) ?? make()
    names.set(name, found)
    return found.local
  }
  return {
    add: (name, from) =>
      imported(name, from, () => ({ name, local: file.claim(name, '_'), isType: /^[A-Z]/.test(name) })),
    own: (name, from, kind) => imported(name, from, () => ({ name, local: name, isType: kind === 'type' })),
    lines: () => [...modules].sort(byFirst).map(([from, names]) => statement(from, [...names.values()])),
  }
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return moduleRank(b) - moduleRank(a) || (a < b ? -1 : 1)
}

/** Outer modules come first: `../../x`, then `../x`, then `./x`. */
const moduleRank = (from: string): number => (from.startsWith('.') ? from.split('../').length : Number.MAX_SAFE_INTEGER)

/** Letter case decides only between names that differ in nothing else. */
const sortKey = ({ name }: Imported): string => `${name.toLowerCase()} ${name}`

function statement(from: string, names: readonly Imported[]): string {
  const typesOnly = names.every(({ isType }) => isType)
  const specifiers = [...names]
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(
      ({ name, local, isType }) =>
        `${isType && !typesOnly ? 'type ' : ''}${name}${local === name ? '' : ` as ${local}`}`,
    )
  return `${typesOnly ? 'import type' : 'import'} { ${specifiers.join(', ')} } from ${stringLiteral(from)}`
}
