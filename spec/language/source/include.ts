import { posix } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { suggest } from '../diagnostics/suggest.js'
import { pointerKeys, pointerTo } from './json-pointer.js'
import { parseSource } from './parse-source.js'
import { locate, maxFileBytes, type ReadError, readSiblingFile, type Source, type SourceResult } from './source.js'

/** The key that stands for the content of other files. */
const includeKey = '$include'

/** Text that can contain this key, or one that looks like it. */
const possibleKey = /\$\w+["']?\s*:/

/** The key of a mapping that includes: if there is no `$include`, one that is spelt like it. */
function includeKeyOf(value: object): string | undefined {
  if (Object.hasOwn(value, includeKey)) return includeKey
  return Object.keys(value).find(key => key.startsWith('$') && suggest(key, [includeKey]) !== undefined)
}

const includes = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(includes)
    : isMapping(value) && (includeKeyOf(value) !== undefined || Object.values(value).some(includes))

/** The most files that a spec includes. A file that is included several times counts each time. */
export const maxIncludes = 500
/** How deep included files include others. */
export const maxIncludeDepth = 8

/**
 * The text of a file, or why it cannot be read. Undefined if it has not been read yet.
 *
 * @param name relative to the folder of the spec
 */
type ReadIncluded = (name: string) => string | ReadError | undefined

/** Replaces `$include` by the content of files, which are read from the folder of the spec. */
export async function readIncludes(result: SourceResult): Promise<SourceResult> {
  const texts = new Map<string, string | ReadError>()
  for (;;) {
    const missing = new Set<string>()
    const expanded = expandIncludes(result, name => {
      const text = texts.get(name)
      if (text === undefined) missing.add(name)
      return text
    })
    if (missing.size === 0) return expanded
    // One after another: their lengths together are limited, too.
    for (const name of missing) texts.set(name, await readSiblingFile(result.source.path, name))
  }
}

/** A part of a file: the spec itself, or an included file. */
interface Place {
  readonly source: Source
  /** JSON Pointer into the document of that file. */
  readonly at: string
}

const memberOf = ({ source, at }: Place, key: string | number): Place => ({ source, at: pointerTo(at, key) })

const pointerOf = (keys: readonly string[], start = ''): string =>
  keys.reduce((pointer, key) => pointerTo(pointer, key), start)

/** A file that an include names, and the files that lead to it, from the spec on. */
interface OpenedFile {
  readonly root: Place
  readonly chain: readonly string[]
}

/**
 * Replaces `$include` by the content of files.
 *
 * A mapping that has nothing but `$include: FILE` becomes the content of the file. Any other mapping gets the members of the
 * files in addition to its own; at the root of a spec, so do the chapters that both have.
 */
export function expandIncludes(result: SourceResult, read: ReadIncluded): SourceResult {
  const spec = result.source
  // Nearly all specs are one file.
  if (!possibleKey.test(spec.text) || !includes(spec.document)) return result
  /** Where values of the whole document come from, by pointer: those that their parent's file does not contain. */
  const values = new Map<string, Place>()
  /** The same for keys. */
  const keys = new Map<string, Place>()
  const problems: Diagnostic[] = []
  const files = new Map<string, SourceResult>()
  const named = new Set<string>()
  let included = 0
  let length = spec.text.length

  const report = (
    place: Place,
    code: string,
    message: string,
    on: 'key' | 'value' = 'value',
    suggestion?: string,
  ): undefined => {
    problems.push(locate({ code, message, at: place.at, on, suggestion }, place.source))
    return undefined
  }

  const expand = (place: Place, value: unknown, at: string, chain: readonly string[]): unknown => {
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => expand(memberOf(place, index), item, pointerTo(at, index), chain))
    }
    if (!isMapping(value)) return value
    const members: Record<string, unknown> = Object.create(null)
    const includingKey = includeKeyOf(value)
    for (const [key, member] of Object.entries(value)) {
      if (key !== includingKey) members[key] = expand(memberOf(place, key), member, pointerTo(at, key), chain)
    }
    if (includingKey === undefined) return members
    const name = value[includingKey]
    const here = memberOf(place, includingKey)
    // What it means is included, too: without it, nearly everything else would be wrong.
    if (includingKey !== includeKey) report(here, 'include/key', `Unknown key "${includingKey}".`, 'key', includeKey)
    if (typeof name === 'string' && Object.keys(value).length === 1 && at !== '') {
      const file = open(here, name, chain)
      if (file === undefined) return members
      values.set(at, file.root)
      return expand(file.root, file.root.source.document, at, file.chain)
    }
    if (!Array.isArray(name)) merge(here, name, { at, members, chain })
    else
      name.forEach((one: unknown, index) => {
        merge(memberOf(here, index), one, { at, members, chain })
      })
    return members
  }

  /** Adds the members of a file to those of a mapping. */
  const merge = (
    here: Place,
    name: unknown,
    into: { readonly at: string; readonly members: Record<string, unknown>; readonly chain: readonly string[] },
  ): void => {
    const { at, members, chain } = into
    if (typeof name !== 'string') {
      report(here, 'include/name', 'Expected the name of a file, or a list of names.')
      return
    }
    const file = open(here, name, chain)
    if (file === undefined) return
    const { root } = file
    const content = expand(root, root.source.document, at, file.chain)
    if (!isMapping(content)) {
      report(here, 'include/not-a-mapping', `${JSON.stringify(name)} is a list, so it cannot be merged here.`)
      return
    }
    for (const [key, value] of Object.entries(content)) {
      const chapter = members[key]
      if (at === '' && isMapping(chapter) && isMapping(value)) {
        const merged: Record<string, unknown> = Object.assign(Object.create(null), chapter)
        for (const [entry, part] of Object.entries(value)) {
          add(merged, entry, part, memberOf(memberOf(root, key), entry), pointerOf([key, entry]))
        }
        members[key] = merged
      } else add(members, key, value, memberOf(root, key), pointerTo(at, key))
    }
  }

  /** @param from where the member is, unless it comes from another file that this one includes */
  const add = (members: Record<string, unknown>, key: string, value: unknown, from: Place, at: string): void => {
    if (Object.hasOwn(members, key)) {
      const message = `"${key}" is already there, in another file. Remove one of the two.`
      report(from, 'include/duplicate', message, 'key')
      return
    }
    members[key] = value
    if (!values.has(at)) values.set(at, from)
    if (!keys.has(at)) keys.set(at, from)
  }

  const open = (here: Place, name: string, chain: readonly string[]): OpenedFile | undefined => {
    const shown = JSON.stringify(name)
    const path = includedName(chain.at(-1) ?? '', name)
    if (path === undefined) return report(here, 'include/name', `${shown} cannot be included. ${nameRule}`)
    if (chain.includes(path)) {
      const circle = [...chain.slice(chain.indexOf(path)), path].join(' > ')
      return report(here, 'include/cycle', `${shown} includes itself: ${circle}. Remove one of these includes.`)
    }
    if (chain.length > maxIncludeDepth) {
      const message = `Included files include others more than ${maxIncludeDepth} levels deep, which is the limit.`
      return report(here, 'include/too-deep', message)
    }
    if (++included > maxIncludes) {
      if (included > maxIncludes + 1) return undefined
      return report(here, 'include/too-many', `The spec includes more than ${maxIncludes} files, which is the limit.`)
    }
    named.add(path)
    const text = read(path)
    if (text === undefined) return undefined
    if (typeof text !== 'string') return report(here, text.code, `${shown} cannot be included. ${text.message}`)
    length += text.length
    if (length > maxFileBytes) {
      const message = `With ${shown}, the spec has more than ${maxFileBytes / 1024 / 1024} MB, which is the limit.`
      return report(here, 'include/too-long', message)
    }
    const file = files.get(path) ?? parseSource(text, pathBeside(spec.path, path))
    files.set(path, file)
    const { document } = file.source
    if (document === undefined) return undefined
    if (typeof document !== 'object' || document === null) {
      return report(here, 'include/not-a-mapping', `${shown} is neither a mapping nor a list.`)
    }
    return { root: { source: file.source, at: '' }, chain: [...chain, path] }
  }

  const document = expand({ source: spec, at: '' }, spec.document, '', [
    posix.basename(spec.path.replaceAll('\\', '/')),
  ])
  const includedFiles = [...files.values()]
  const unusable = includedFiles.some(({ source }) => source.document === undefined)
  const placeOf = (pointer: string, part: 'key' | 'value' = 'value'): Place => {
    const path = pointerKeys(pointer)
    const own = part === 'key' ? keys.get(pointer) : undefined
    if (own !== undefined) return own
    for (let count = part === 'key' ? path.length - 1 : path.length; count > 0; count--) {
      const from = values.get(pointerOf(path.slice(0, count)))
      if (from !== undefined) return { ...from, at: pointerOf(path.slice(count), from.at) }
    }
    return { source: spec, at: pointer }
  }
  return {
    source: {
      ...spec,
      // Nobody knows what is missing, so the rest is not checked.
      document: unusable || problems.length > 0 ? undefined : document,
      at: (pointer, part) => {
        const { source, at } = placeOf(pointer, part)
        return source.at(at, part)
      },
      pathOf: (pointer, part) => placeOf(pointer, part).source.path,
      included: includedFiles.map(({ source }) => source),
      includedPaths: [...named].map(name => pathBeside(spec.path, name)),
    },
    diagnostics: [...result.diagnostics, ...includedFiles.flatMap(({ diagnostics }) => diagnostics), ...problems],
  }
}

const nameRule = 'Name a .yaml, .yml or .json file in the folder of the spec or below it, such as ./resources.yaml.'

/**
 * The name of an included file, relative to the folder of the spec. Undefined if it would be elsewhere, or is no file of data:
 * a spec must not show what other files contain.
 *
 * @param from the file that includes it, also relative to that folder
 */
export function includedName(from: string, name: string): string | undefined {
  if (!/\.(?:ya?ml|json)$/i.test(name) || /[\\:\0]/.test(name) || name.startsWith('/')) return undefined
  const path = posix.join(posix.dirname(from), name)
  return path.split('/').some(segment => segment === '..' || (segment.startsWith('.') && segment !== '.'))
    ? undefined
    : path
}

/** The path of a file beside the spec, in the form in which the path of the spec was given. */
function pathBeside(spec: string, name: string): string {
  return spec.slice(0, Math.max(spec.lastIndexOf('/'), spec.lastIndexOf('\\')) + 1) + name
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
