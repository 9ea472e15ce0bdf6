import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { OwnService, ReferenceOptions } from '../../reference/index.js'
import {
  type AnyHandler,
  handlersByName,
  type Principal,
  type RequestHead,
  type ServiceTable,
} from '../../runtime/server/index.js'
import { type CallEndpoint, type Service, suggest, userError } from '../../spec/language/index.js'
import { importModule } from '../config.js'
import { displayPath, UsageError } from '../output.js'

/**
 * Loads the handlers of `serve --handlers`: the export `handlers` of a module, as that of the generated `handlers/index.ts`. The
 * export `context`, if there is one, creates their `context`. The export `functions` has the functions that queries can call.
 *
 * @throws {UsageError} if the module cannot be loaded, has a handler for no operation, or lacks one
 */
export async function loadHandlers(
  file: string,
  cwd: string,
  service: Service,
  table: ServiceTable,
): Promise<Pick<ReferenceOptions, 'handlers' | 'functions' | 'context'>> {
  const path = resolve(cwd, file)
  const shown = displayPath(cwd, path)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UsageError(`${shown} is not a file. --handlers takes the module that exports your handlers.`)
  }
  const loaded = await importModule(path).catch((error: unknown) => {
    throw new UsageError(`The handlers in ${shown} cannot be loaded: ${reasonOf(error)}`)
  })
  return handlersOf(loaded, shown, service, table)
}

/** The number of problems to report. */
const maxProblems = 20

type ContextOf = (request: RequestHead, principal: Principal, service: OwnService) => unknown

/**
 * The handlers in the exports of a module.
 *
 * @param shown the file, for messages
 * @throws {UsageError} if the module has a handler for no operation, or lacks one
 */
export function handlersOf(
  loaded: unknown,
  shown: string,
  service: Service,
  table: ServiceTable,
): Pick<ReferenceOptions, 'handlers' | 'functions' | 'context'> {
  const functions = member(loaded, 'functions')
  // A service can need nothing but functions.
  const none = isObject(functions) ? {} : undefined
  const handlers = member(loaded, 'handlers') ?? member(loaded, 'default') ?? none
  if (!isObject(handlers)) {
    throw new UsageError(
      `${shown} exports no handlers. Export an object with the name handlers, as the generated handlers/index.ts does.`,
    )
  }
  const context = member(loaded, 'context')
  if (context !== undefined && !isContextOf(context)) {
    throw new UsageError(
      `The export context of ${shown} is no function. Export (request, principal, service) => context.`,
    )
  }
  if (functions !== undefined && !isObject(functions)) {
    throw new UsageError(`The export functions of ${shown} is not an object. Export a member for each function.`)
  }
  const names = table.routes.map(({ name }) => name)
  const problems = [
    ...unknownHandlers(handlers, '', names),
    ...missingHandlers(handlers, service),
    ...functionProblems(functions ?? {}, table),
  ]
  if (problems.length > 0) {
    const more = problems.length > maxProblems ? [`… and ${problems.length - maxProblems} more.`] : []
    throw new UsageError([`The handlers in ${shown}:`, ...problems.slice(0, maxProblems), ...more].join('\n  '))
  }
  const handlerOf = handlersByName(handlers)
  const found: Record<string, AnyHandler> = {}
  for (const route of table.routes) {
    const handler = handlerOf(route)
    if (handler !== undefined) found[route.name] = handler
  }
  return {
    handlers: found,
    ...(functions === undefined ? {} : { functions }),
    ...(context === undefined ? {} : { context }),
  }
}

/** Functions that queries cannot call, and those that neither the spec nor the module defines. */
function functionProblems(given: object, table: ServiceTable): readonly string[] {
  const functions = Object.values(table.functions ?? {}).filter(({ definition }) => definition === undefined)
  const names = functions.map(({ name }) => name)
  const unknown = Object.keys(given).filter(name => !names.includes(name))
  const missing = names.filter(name => typeof member(given, name) !== 'function')
  return [
    ...unknown.map(name => {
      const near = suggest(name, names)
      return `functions.${name} is not a function that queries can call, or the spec defines it.${near === undefined ? '' : ` Did you mean ${near}?`}`
    }),
    ...missing.map(
      name =>
        `functions.${name} is missing: filters can call it, and the spec does not define it. To answer 501, export notImplemented for it.`,
    ),
  ]
}

/** A module that fails while it is loaded has a stack that shows where. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof SyntaxError || 'code' in error ? error.message : userError(error)
}

/** Handlers for operations that the service does not have, with the nearest name. */
function unknownHandlers(handlers: object, prefix: string, names: readonly string[]): readonly string[] {
  // An instance of a class can have members of its own.
  if (prefix !== '' && ![Object.prototype, null].includes(Object.getPrototypeOf(handlers))) return []
  return Object.entries(handlers).flatMap(([key, value]) => {
    const name = prefix + key
    if (names.some(each => each.startsWith(`${name}.`)) && isObject(value)) {
      return typeof value === 'function' ? unknownFunction(name, names) : unknownHandlers(value, `${name}.`, names)
    }
    return names.includes(name) && typeof value === 'function' ? [] : unknownFunction(name, names)
  })
}

function unknownFunction(name: string, names: readonly string[]): readonly string[] {
  if (names.includes(name)) return [`${name} is no function.`]
  const near = suggest(name, [...names, ...resourcesOf(names)])
  const hint = near === undefined ? `Operations of the service: ${firstOf(names)}.` : `Did you mean ${near}?`
  return [`${name} is no operation of the service. ${hint}`]
}

/** The resources with operations: `books` and `books.reviews` of `books.reviews.list`. */
function resourcesOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap(name => {
      const parts = name.split('.')
      return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('.'))
    }),
  )
}

const firstOf = (names: readonly string[]): string => names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '')

/** The operations that neither the spec nor the handlers define. `notImplemented` defines that the service answers 501. */
function missingHandlers(handlers: object, { endpoints }: Service): readonly string[] {
  return endpoints.flatMap(endpoint => {
    if (endpoint.kind !== 'call' || isGeneric(endpoint.operation)) return []
    const found = endpoint.name.split('.').reduce<unknown>(member, handlers)
    if (typeof found === 'function') return []
    return [
      `${endpoint.name} is missing, and the spec does not define it. To answer 501, export notImplemented for it.`,
    ]
  })
}

/** Whether the reference service answers an operation from its definition. */
const isGeneric = ({ meaning, definition, binding }: CallEndpoint['operation']): boolean =>
  (meaning !== undefined || definition !== undefined) && binding?.collection !== true

function member(owner: unknown, name: string): unknown {
  if (!isObject(owner)) return undefined
  return Object.hasOwn(owner, name) || !(name in Object.prototype) ? Reflect.get(owner, name) : undefined
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** The types of its arguments are not checked: the module is trusted. */
const isContextOf = (value: unknown): value is ContextOf => typeof value === 'function'
