import type { Preference, Service } from '../../spec/language/index.js'
import { ownershipHeader } from '../generated-file.js'
import type { NameTable } from '../names/name-table.js'
import { importList, type Scope } from '../text/file-scope.js'
import type { TemplateFile, Templates } from '../text/render-template.js'

/** The context of every emitter of code. */
export interface EmitContext {
  readonly service: Service
  readonly names: NameTable
  /** The specifier by which a generated file imports another one, such as `./types.js`. */
  readonly ownPath: (file: string) => string
  /** The specifier by which generated files import an entry point of the runtime. */
  readonly runtimePath: (entrance: RuntimeEntrance) => string
  /** Default: the built-in ones. */
  readonly templates?: Templates | undefined
}

type RuntimeEntrance = 'client' | 'server' | 'query'

/** One generated TypeScript file while it is built: what it declares and imports so far. */
export interface CodeFile extends TemplateFile {
  readonly names: NameTable
  readonly scope: Scope
  /** Imports a type of `types.ts`, which keeps its name. */
  readonly typeReference: (name: string) => string
  /** Imports a constant of another generated file, whose name the scope has claimed. */
  readonly constant: (name: string, from: string) => string
  /** Imports a constant of another generated file; returns its local name, which avoids declarations of this file. */
  readonly localName: (name: string, from: string) => string
}

/** @param entrance the part of the runtime that the file is for */
export function codeFile(
  { service, names, ownPath, runtimePath, templates }: EmitContext,
  entrance: RuntimeEntrance,
  scope: Scope,
): CodeFile {
  const imports = importList(scope)
  return {
    names,
    scope,
    header: ownershipHeader(service.name),
    typeReference: name => imports.own(name, ownPath('./types.js'), 'type'),
    constant: (name, from) => imports.own(name, ownPath(from), 'value'),
    localName: (name, from) => imports.add(name, ownPath(from)),
    runtime: (name, from) => imports.add(name, runtimePath(from === 'query' ? 'query' : entrance)),
    imports: () => imports.lines(),
    templates,
  }
}

/** A preference, as `templates/partials/preferences.hbs` shows it. */
export type PreferenceView = Pick<Preference, 'name' | 'values'>

export const preferenceViews = (preferences: readonly Preference[]): readonly PreferenceView[] =>
  preferences.map(({ name, values }) => ({ name, values }))

/** A JSON value. Objects are made with `jsonObject`, so that a name from a spec cannot set the prototype. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

/** An object with the given members, in their order, without undefined ones. */
export function jsonObject(members: Iterable<readonly [name: string, value: Json | undefined]>): JsonObject {
  const given: [string, Json][] = []
  for (const [name, value] of members) {
    if (value !== undefined) given.push([name, value])
  }
  return Object.fromEntries(given)
}

/** JSON as a file: indented by two spaces, with a final line end. */
export function jsonText(json: Json): string {
  return `${JSON.stringify(json, null, 2)}\n`
}
