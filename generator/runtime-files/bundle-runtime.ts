import { importList } from '../text/import-list.js'
import { type RuntimeModule, runtimeModule } from './runtime-module.js'
import { type RuntimeRoom, roomOf, runtimeRooms } from './runtime-room.js'

/** What a vendored runtime is for: all that generated code imports of it, and all that users of that code do. */
const roots = [
  'client/index.js',
  'client/key-predicate.js',
  'client/resource.js',
  'server/index.js',
  'server/read-service-table.js',
  'query/ast.js',
]

/**
 * The runtime as one file a room: its modules one after the other, each after those that it needs when it is loaded. So
 * few files are written, read and compiled in a fraction of the time of hundreds. No name is changed, so the modules of a
 * room, and what it imports of others, must have different names at their top level.
 *
 * @param read the source of a module, by its name below the runtime folder: `server/call.js`
 * @throws Error where two modules cannot stand in one file
 */
export function bundleRuntime(read: (module: string) => string): ReadonlyMap<RuntimeRoom, string> {
  const modules = reachable(read)
  return new Map(runtimeRooms.map(room => [room, fileOf(room, modules)]))
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

function fileOf(room: RuntimeRoom, all: readonly RuntimeModule[]): string {
  const modules = all.filter(({ name, text }) => roomOf(name) === room && text !== '')
  const owners = new Map<string, string>()
  for (const { name, declared } of modules) {
    for (const each of declared) claim(owners, each, name)
  }
  const imports = importList([])
  for (const { name: importer, imports: needed } of modules) {
    for (const { module, name, value } of needed) {
      const other = roomOf(module)
      if (other === room) continue
      if (room !== 'server' || other !== 'query') throw standsAlone(importer, module, room)
      claim(owners, name, module)
      imports[value ? 'value' : 'type'](name, `./${other}.js`)
    }
  }
  for (const { name, globals } of modules) {
    for (const each of globals) {
      if (owners.has(each)) throw clash(each, `the global that ${name} means`, owners.get(each))
    }
  }
  const parts = modules.map(({ name, text }) => `// ${name.replace(/\.js$/, '.ts')}\n\n${text}`)
  const lines = imports.lines()
  return `${[...(lines.length > 0 ? [lines.join('\n')] : []), ...parts].join('\n\n')}\n`
}

function claim(owners: Map<string, string>, name: string, module: string): void {
  const owner = owners.get(name)
  if (owner !== undefined && owner !== module) throw clash(name, owner, module)
  owners.set(name, module)
}

const standsAlone = (from: string, to: string, room: RuntimeRoom): Error =>
  new Error(`runtime/${from} imports ${to}: the room ${room} must stand alone, since it may be vendored alone`)

const clash = (name: string, first: string | undefined, second: string | undefined): Error =>
  new Error(
    `The runtime has two meanings of \`${name}\` in one room: ${first} and ${second}. Where it is vendored, a room is one ` +
      'file: give one of them another name.',
  )
