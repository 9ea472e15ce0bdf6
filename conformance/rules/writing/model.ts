import fc from 'fast-check'
import type { Row } from '../../json.js'
import type { TestCase, TestStep } from '../../rule/rule.js'
import { fullBody, partialBody, patchBody } from './body.js'
import type { WriteSite } from './write-site.js'

// The write rules are model-based tests: a sequence of commands runs against a model of the created items and against the
// service, and each response must agree with the model. fast-check generates the sequences and shrinks them.

/** What the service should hold of the items that one sequence creates. */
export interface WriteModel {
  readonly items: ModelItem[]
}

/** An item as the service should return it. The command that creates it fills in what only the response reveals. */
export interface ModelItem {
  path: string
  /** Undefined if the response does not reveal it. */
  key: string | undefined
  expected: Row
  /** `replaced`: the item was deleted, and the service has given its key to a new item. */
  state: 'live' | 'deleted' | 'replaced'
}

/** Runs the commands of a sequence: on the service, or as a dry run. */
export interface WriteTarget {
  /** @param item the item that the step concerns; undefined for `list`. The model has already made the transition. */
  readonly run: (step: TestStep, item: ModelItem | undefined, model: WriteModel) => Promise<void>
}

type WriteCommand = fc.AsyncCommand<WriteModel, WriteTarget>

/**
 * The command of a step: `create`, `read`, `patch`, `replace`, `delete` or `list`. Whether it can run depends only on the
 * model: `item` counts modulo the items that the action applies to. So a sequence stays valid if fast-check drops commands.
 */
function writeCommand(step: TestStep): WriteCommand {
  return {
    check: model => step.action === 'create' || eligibleItems(step, model).length > 0,
    run: (model, target) => target.run(step, transition(step, model), model),
    toString: () => step.action,
  }
}

function eligibleItems({ action }: TestStep, { items }: WriteModel): readonly ModelItem[] {
  const isReadOnly = action === 'read' || action === 'list'
  return items.filter(({ state }) => (isReadOnly ? state !== 'replaced' : state === 'live'))
}

/** Applies a step to the model. Returns the item that it concerns. */
function transition(step: TestStep, model: WriteModel): ModelItem | undefined {
  if (step.action === 'list') return undefined
  if (step.action === 'create') {
    const item: ModelItem = { path: '', key: undefined, expected: {}, state: 'live' }
    model.items.push(item)
    return item
  }
  const eligible = eligibleItems(step, model)
  const item = eligible[(step.item ?? 0) % eligible.length]
  if (step.action === 'delete' && item !== undefined) item.state = 'deleted'
  return item
}

const maxCommands = 8

/** Random sequences: a create, up to eight commands, and a final comparison with the list. */
export function writeSequences(site: WriteSite): fc.Arbitrary<TestCase> {
  const item = fc.nat(2)
  const number = fc.nat(40)
  const create = number.map((each): TestStep => ({ action: 'create', body: fullBody(site, each) }))
  const patch = fc.tuple(item, number).map(([each, n]) => ({ action: 'patch', item: each, body: patchBody(site, n) }))
  const replace = fc.tuple(item, number).map(([each, n]) => {
    return { action: 'replace', item: each, body: partialBody(site, n) }
  })
  const step: fc.Arbitrary<TestStep> = fc.oneof(
    { weight: 3, arbitrary: create },
    { weight: site.update === undefined ? 0 : 4, arbitrary: patch },
    { weight: site.replacement === undefined ? 0 : 2, arbitrary: replace },
    { weight: 2, arbitrary: item.map(each => ({ action: 'delete', item: each })) },
    { weight: 1, arbitrary: item.map(each => ({ action: 'read', item: each })) },
    { weight: 1, arbitrary: fc.constant({ action: 'list' }) },
  )
  return fc.tuple(create, fc.commands([step.map(writeCommand)], { maxCommands })).map(([first, rest]) => {
    const [begin, end] = [writeCommand(first), writeCommand({ action: 'list' })]
    const planned = plan([begin, ...fc.cloneIfNeeded(rest), end])
    generatedCommands.set(planned, [begin, ...rest, end])
    return { steps: planned }
  })
}

/** The steps of the commands that can run, by a dry run. */
function plan(commands: Iterable<WriteCommand>): readonly TestStep[] {
  const model: WriteModel = { items: [] }
  const steps: TestStep[] = []
  const dryRun: WriteTarget = { run: async step => void steps.push(step) }
  for (const command of commands) if (command.check(model)) void command.run(model, dryRun)
  return steps
}

const generatedCommands = new WeakMap<readonly TestStep[], readonly WriteCommand[]>()

/** The commands of a sequence. fast-check shrinks a generated sequence by those of its own commands that have run. */
export function commandsOf(steps: readonly TestStep[]): readonly WriteCommand[] {
  return generatedCommands.get(steps) ?? steps.map(writeCommand)
}
