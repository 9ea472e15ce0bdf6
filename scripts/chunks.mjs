import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Imports what a folder's entrance exports from the module that defines it. Through an entrance everything behind it can be reached:
 * without this, each command would load the whole query language, the evaluator of queries included.
 */
export const directImports = {
  name: 'direct-imports',
  transform: {
    filter: { id: /\/build\/.*\.js$/ },
    handler: (code, path) => ({ code: withDirectImports(code, path), map: null }),
  },
}

/**
 * Four chunks for the commands that read a spec and generate from it: each file takes about a millisecond to load. A chunk only
 * imports those before it.
 */
export const commandChunks = [
  ['query', /\/build\/runtime\/query\//],
  ['language', /\/build\/spec\/|\/node_modules\/js-yaml\//],
  ['generator', /\/build\/generator\/|\/node_modules\/handlebars\//],
  ['cli', /\/build\/bin\/|\/node_modules\/commander\//],
].map(([name, paths], index) => ({
  name: (id, context) => (paths.test(id) && commandModules(context).has(id) ? name : null),
  debugName: name,
  priority: 4 - index,
}))

/** What `main.js` loads for a command that generates, by static imports of these modules. */
const commandRoots = ['bin/main.js', 'bin/run.js', 'bin/terminal.js', 'generator/write/plan-output.js']

let modules

function commandModules(context) {
  if (modules === undefined) {
    modules = new Set()
    const left = commandRoots.map(path => resolve('build', path))
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (modules.has(id)) continue
      modules.add(id)
      left.push(...(context.getModuleInfo(id)?.importedIds ?? []))
    }
  }
  return modules
}

function withDirectImports(code, path) {
  return code.replace(/^import \{([^}]*)\} from '(\.[^']*\/index\.js)';$/gm, (_, names, entrance) =>
    names
      .split(',')
      .filter(name => name.trim() !== '')
      .map(name => {
        const [exported, local = exported] = name.trim().split(' as ')
        const { module, name: defined } = definition(resolve(dirname(path), entrance), exported)
        return `import { ${defined} as ${local} } from '${module}';`
      })
      .join(''),
  )
}

/** The module that defines what a module exports, and its name there. */
function definition(module, name) {
  for (const [, names, from] of readFileSync(module, 'utf8').matchAll(
    /^export (?:\{([^}]*)\}|\*) from '(\.[^']+)';$/gm,
  )) {
    const source = resolve(dirname(module), from)
    if (names === undefined) {
      if (exportsName(source, name)) return definition(source, name)
      continue
    }
    for (const part of names.split(',')) {
      const [defined, exported = defined] = part.trim().split(' as ')
      if (exported === name) return definition(source, defined)
    }
  }
  return { module, name }
}

const exportsName = (module, name) =>
  new RegExp(`^export (?:const|let|function|function\\*|async function|async function\\*|class) ${name}\\b`, 'm').test(
    readFileSync(module, 'utf8'),
  )
