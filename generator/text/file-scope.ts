import { stringLiteral } from './literals.js'

/** The names that one file declares. */
export interface Scope {
  /** Takes a name; when it is taken already, the name with the suffix, as often as need be. */
  claim(name: string, suffix: string): string
  /** All names that are taken. */
  readonly taken: ReadonlySet<string>
}

/** Begins with names that are taken: those that the file uses without declaring them. */
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

const importWidth = 120

/** The imports of one generated file: which names, from where, under which local name. */
interface ImportList {
  /** Imports a type; gives the name to call it by in this file. */
  type(name: string, from: string): string
  /** Imports a type under its own name, which must be free for it. */
  own(name: string, from: string): string
  /** Imports a value; gives the name to call it by in this file. */
  value(name: string, from: string): string
  /** The import statements, by module; empty when nothing is imported. */
  lines(): readonly string[]
}

interface Imported {
  readonly name: string
  readonly local: string
  value: boolean
}

/**
 * Collects the imports of one file.
 *
 * @param taken names that the file declares, or that it uses as globals: what would clash with them is imported under
 *   another name
 */
export function importList(taken: Iterable<string>): ImportList {
  const locals = new Set(taken)
  const modules = new Map<string, Map<string, Imported>>()
  const add = (name: string, from: string, value: boolean, own = false): string => {
    const names = modules.get(from) ?? new Map<string, Imported>()
    modules.set(from, names)
    const known = names.get(name)
    if (known !== undefined) {
      known.value ||= value
      return known.local
    }
    let local = name
    while (!own && locals.has(local)) local += '_'
    locals.add(local)
    names.set(name, { name, local, value })
    return local
  }
  return {
    type: (name, from) => add(name, from, false),
    own: (name, from) => add(name, from, false, true),
    value: (name, from) => add(name, from, true),
    lines: () => [...modules].sort(byFirst).flatMap(([from, names]) => statement(from, [...names.values()])),
  }
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return moduleRank(b) - moduleRank(a) || (a < b ? -1 : 1)
}

/** What is further away comes first: `../../x`, then `../x`, then `./x`. */
const moduleRank = (from: string): number => (from.startsWith('.') ? from.split('../').length : Number.MAX_SAFE_INTEGER)

/** Letter case decides only between names that differ in nothing else. */
const sortKey = ({ name }: Imported): string => `${name.toLowerCase()} ${name}`

function statement(from: string, names: readonly Imported[]): readonly string[] {
  const typesOnly = names.every(({ value }) => !value)
  const specifiers = [...names]
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(
      ({ name, local, value }) => `${typesOnly || value ? '' : 'type '}${name}${local === name ? '' : ` as ${local}`}`,
    )
  const start = typesOnly ? 'import type' : 'import'
  const end = `from ${stringLiteral(from)}`
  const line = `${start} { ${specifiers.join(', ')} } ${end}`
  if (line.length <= importWidth) return [line]
  return [`${start} {`, ...specifiers.map(specifier => `  ${specifier},`), `} ${end}`]
}
