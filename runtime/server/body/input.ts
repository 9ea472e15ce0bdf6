import { RequestFault } from '../errors.js'
import type { ServerRequest } from '../http/message.js'
import type { QueryPlan } from '../planning/query-plan.js'
import type { PathArguments } from '../routing/path.js'
import type { Fault, Route, ServiceTable } from '../service-table.js'
import { concreteTypes } from '../type-lookup.js'
import type { ValueProblem } from '../value/read-value.js'
import { type BodyPurpose, readChange, readEntity } from './entity-body.js'
import { readRequestBody } from './json-body.js'
import { readFunctionArguments, readParameters } from './operation-parameters.js'

/** The input of a request besides keys and query: a body, or the parameters of an operation. */
export interface Input {
  /** Reads the body. Fails with a fault that lists all problems, if it was not checked before. */
  readonly body: () => unknown
  /** Reads the body as a change of an item of a type. Fails with a fault that lists all problems. */
  readonly bodyAs: (itemType: string) => unknown
  readonly parameters: Readonly<Record<string, unknown>>
}

const noBody = (): undefined => undefined

export const noInput: Input = { body: noBody, bodyAs: noBody, parameters: Object.freeze(Object.create(null)) }

const purposes: Readonly<Partial<Record<Route['kind'], BodyPurpose>>> = {
  create: 'create',
  update: 'update',
  replace: 'replace',
}

/** Reads and checks the input of a route. Fails with a fault that lists all problems. */
export function readInput(
  route: Route,
  request: ServerRequest,
  inline: PathArguments,
  plan: QueryPlan,
  table: ServiceTable,
): Input | Promise<Input> {
  const { operation, kind, type } = route
  if (operation !== undefined) {
    return route.method === 'POST' ? actionInput(route, request, table) : functionInput(route, inline, plan, table)
  }
  const purpose = purposes[kind]
  return purpose === undefined || type === undefined ? noInput : entityInput(type, purpose, request, table)
}

async function entityInput(
  type: string,
  purpose: BodyPurpose,
  request: ServerRequest,
  table: ServiceTable,
): Promise<Input> {
  const json = await readRequestBody(request, table.limits.body, undefined)
  const checked = ({ value, problems }: ReturnType<typeof readEntity>): unknown => {
    rejectInput('invalidBody', problems)
    return value
  }
  const bodyAs = (itemType: string): unknown => checked(readChange(json, itemType, purpose, table))
  const read = (): unknown => checked(readEntity(json, type, purpose, table))
  // The item decides which properties an update can have, if it can be of several types. Its handler reads the body.
  if (purpose !== 'create' && !isOnlyType(type, table)) return { ...noInput, body: read, bodyAs }
  const body = read()
  return { ...noInput, body: () => body, bodyAs }
}

function isOnlyType(type: string, { types }: ServiceTable): boolean {
  const [only, ...others] = concreteTypes(type, types)
  return only === type && others.length === 0
}

async function actionInput({ operation }: Route, request: ServerRequest, table: ServiceTable): Promise<Input> {
  const json = await readRequestBody(request, table.limits.body, {})
  const { value, problems } = readParameters(json, operation?.parameters ?? {}, table)
  rejectInput('invalidParameter', problems)
  return { ...noInput, parameters: value }
}

function functionInput({ operation }: Route, inline: PathArguments, plan: QueryPlan, table: ServiceTable): Input {
  const sources = { inline, aliases: plan.options.aliases, custom: plan.custom }
  const { value, problems } = readFunctionArguments(sources, operation?.parameters ?? {}, table)
  rejectInput('invalidParameter', problems)
  return { ...noInput, parameters: value }
}

/** The maximum number of problems in a response, so that a large body doesn't get a larger response. */
const maxReportedProblems = 50

function rejectInput(fault: Fault, problems: readonly ValueProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new RequestFault(fault, {
    ...(problems.length === 1 && first.target !== '' ? { target: first.target } : {}),
    values: { property: first.target, parameter: first.target, reason: reasonOf(problems, first) },
    reasons: problems.slice(0, maxReportedProblems),
  })
}

function reasonOf(problems: readonly ValueProblem[], first: ValueProblem): string {
  return problems.length === 1 ? first.message : `${first.message} ${problems.length - 1} more: see details.`
}
