import { type RuntimeModule, type RuntimeStatement, runtimeModule } from './runtime-module.js'
import { partOf, type RuntimePart, runtimeParts } from './runtime-part.js'

/**
 * What a vendored runtime is for: what generated code imports of it, and what users of that code do. The names that these
 * modules declare, or export of others, are exported; no others are.
 */
const roots = [
  'client/index.js',
  'client/key-predicate.js',
  'client/resource.js',
  'server/index.js',
  'server/read-service-table.js',
  'query/ast.js',
]

/**
 * The runtime as one file a part, which is written, read and compiled in a fraction of the time of hundreds: the modules of
 * the part one after the other, each after those that it needs when it is loaded. No name is changed, so no two modules of a
 * part may have the same one at their top level. Of what is there, that is exported which is meant for others.
 *
 * @param read the source of a module, by its name below the runtime folder: `server/call.js`
 * @throws Error where modules cannot stand in one file
 */
export function bundleRuntime(read: (module: string) => string): ReadonlyMap<RuntimePart, string> {
  const modules = reachable(read)
  const entries = [
    ...modules.filter(({ name }) => roots.includes(name)),
    runtimeModule(languageIndex, read(languageIndex)),
  ]
  const meant = new Set(entries.flatMap(entry => namesOf(entry, modules)))
  return new Map(
    runtimeParts.map(part => [
      part,
      fileOf(
        part,
        modules.filter(({ name }) => partOf(name) === part),
        meant,
      ),
    ]),
  )
}

/** What the query language is known by: exported where it is there, without bringing what is not. */
const languageIndex = 'query/index.js'

/** The names that a module declares, and those that it exports of others. */
function namesOf({ declared, imports }: RuntimeModule, all: readonly RuntimeModule[]): readonly string[] {
  const exported = imports
    .filter(each => each.exported)
    .flatMap(({ module, name }) =>
      name === '*' ? [...(all.find(other => other.name === module)?.declared ?? [])] : [name],
    )
  return [...declared, ...exported]
}

/** All modules that are needed, in the order in which they can be loaded. */
function reachable(read: (module: string) => string): readonly RuntimeModule[] {
  const seen = new Set<string>()
  const ordered: RuntimeModule[] = []
  const waiting = [...roots]
  const load = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const module = runtimeModule(name, read(name))
    for (const { module: needed, value } of module.imports) value ? load(needed) : waiting.push(needed)
    ordered.push(module)
  }
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) load(name)
  return ordered
}

function fileOf(part: RuntimePart, modules: readonly RuntimeModule[], meant: ReadonlySet<string>): string {
  const owners = new Map<string, string>()
  for (const { name, declared, imports } of modules) {
    const outside = imports.find(({ module }) => partOf(module) !== part)?.module
    if (outside !== undefined) {
      throw new Error(
        `runtime/${name} imports ${outside}: the part ${part} must stand alone, since it may be vendored alone`,
      )
    }
    for (const each of declared) {
      const owner = owners.get(each)
      if (owner !== undefined) throw clash(each, owner, name)
      owners.set(each, name)
    }
  }
  for (const { name, globals } of modules) {
    for (const each of globals) {
      const owner = owners.get(each)
      if (owner !== undefined) throw clash(each, `the global that ${name} means`, owner)
    }
  }
  const used = new Set(modules.flatMap(({ mentioned }) => [...mentioned]))
  return modules
    .map(({ name, statements }) => {
      const text = statements.map(statement => shown(statement, meant, used)).join('')
      return { name, text: text.trim() }
    })
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => `// ${source(name)}\n\n${text}\n`)
    .join('\n')
}

/** What is neither meant for others nor used stays exported: the compiler would complain of it. */
function shown(
  { text, names, exportAt }: RuntimeStatement,
  meant: ReadonlySet<string>,
  used: ReadonlySet<string>,
): string {
  const stays = exportAt === undefined || names.some(name => meant.has(name) || !used.has(name))
  return stays ? text : text.slice(0, exportAt) + text.slice(exportAt + 'export '.length)
}

const source = (module: string): string => module.replace(/\.js$/, '.ts')

const clash = (name: string, first: string, second: string): Error =>
  new Error(
    `The runtime has two meanings of \`${name}\` in one part: ${first} and ${second}. Where it is vendored, a part is one ` +
      'file: give one of them another name.',
  )
