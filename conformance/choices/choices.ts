import type { OpenChoice, Service } from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'
import { pathsOfChoice, scopeOf } from './scope.js'

type ChoiceValue = string | number

/** Operators that may follow different collations: `eq` and `ne`, or `gt`, `ge`, `lt` and `le`. */
export type OperatorGroup = 'equality' | 'relational'

/** A value that the service was seen to choose, and where. */
export interface ChosenValue {
  /** See `scopeOf`. Absent if the value applies to the whole service. */
  readonly scope?: string
  readonly value: ChoiceValue
  /** Absent if all operators reveal the choice alike. */
  readonly operators?: OperatorGroup
  /** Path of the property that revealed it. Absent if no property is involved. */
  readonly property?: string
  /** Whether it was concluded from the absence of evidence for another value. */
  readonly isPresumed?: boolean
}

/** What the suite has learned about one open choice. */
export interface LearnedChoice {
  readonly choice: OpenChoice
  /** The value everywhere. Absent if nothing decided it, or the service does both. */
  readonly value?: ChoiceValue
  /** What decided it, by place. Empty for a value without a place. */
  readonly chosen?: readonly ChosenValue[]
  /** One sentence per observation: the request, and what the response showed. */
  readonly evidence: readonly string[]
  /** Why there is no value. */
  readonly undecided?: string
}

/** The choices of the service under test, as they apply at one place. */
export interface Choices {
  /**
   * The learned value, or the only legal one. What was not observed here is presumed to be as elsewhere, if it is the
   * same wherever it was observed. Absent if it is unknown or the spec has no such choice.
   */
  readonly get: (name: string, operators?: OperatorGroup) => ChoiceValue | undefined
  readonly all: () => readonly LearnedChoice[]
  /** Increases with everything learned. Whatever is derived from the choices is valid for one revision. */
  readonly revision: () => number
  /** The choices known now, as they apply at a site. The same object for all sites of one scope. */
  readonly at: (site: Pick<Site, 'endpoint'>) => Choices
}

export interface ChoiceRecord extends Choices {
  readonly record: (choice: LearnedChoice) => void
  /** Adds a value that one response revealed. */
  readonly add: (choice: OpenChoice, chosen: ChosenValue, evidence: string) => void
  /**
   * The choices that are certain for a query at a site: those that were observed there, on the properties that the query
   * uses. Nothing is presumed.
   *
   * @param properties paths of the properties that the query compares or sorts by
   * @param onUnknown called for each choice that is asked for and not certain
   */
  readonly certainAt: (
    site: Pick<Site, 'endpoint' | 'type'>,
    properties: readonly string[],
    onUnknown: (choice: OpenChoice, operators: OperatorGroup | undefined) => void,
  ) => Choices
}

export function createChoiceRecord(service: Service): ChoiceRecord {
  const declared = new Map(service.open.map(choice => [choice.name, choice]))
  const onlyLegal = (name: string): ChoiceValue | undefined => {
    const choice = declared.get(name)
    return choice?.legal.length === 1 ? choice.legal[0] : undefined
  }
  /** What is known at one revision. */
  const stateOf = (learned: ReadonlyMap<string, LearnedChoice>, revision: number) => {
    const byScope = new Map<string, Choices>()
    const all = (): readonly LearnedChoice[] =>
      service.open.map(choice => learned.get(choice.name) ?? { choice, evidence: [], undecided: 'not tested' })
    const choicesIn = (scope: string): Choices => {
      const known = byScope.get(scope)
      if (known !== undefined) return known
      const choices: Choices = {
        get: (name, operators) => {
          const found = learned.get(name)
          return (found === undefined ? undefined : valueIn(scope, found, operators)) ?? onlyLegal(name)
        },
        all,
        revision: () => revision,
        at: site => choicesIn(scopeOf(site)),
      }
      byScope.set(scope, choices)
      return choices
    }
    return { learned, revision, all, choicesIn }
  }
  let state = stateOf(new Map(), 0)
  const record = (choice: LearnedChoice): void => {
    state = stateOf(new Map([...state.learned, [choice.choice.name, choice]]), state.revision + 1)
  }
  return {
    record,
    add: (choice, chosen, sentence) => {
      const before = state.learned.get(choice.name)
      const others = before?.chosen ?? []
      const known = before?.value !== undefined && others.length === 0 ? [{ value: before.value }] : others
      const kept = known.filter(each => !(each.isPresumed && isSamePlace(each, chosen)))
      const evidence = [...(before?.evidence ?? []), sentence]
      record(withCommonValue({ choice, chosen: [...kept, chosen], evidence }))
    },
    revision: () => state.revision,
    get: name => state.learned.get(name)?.value ?? onlyLegal(name),
    all: () => state.all(),
    at: site => state.choicesIn(scopeOf(site)),
    certainAt: (site, properties, onUnknown) => {
      const scope = scopeOf(site)
      const { learned, all, revision } = state
      const get: Choices['get'] = (name, operators) => {
        const found = learned.get(name)
        const paths = pathsOfChoice(name, properties, site.type)
        const value = (found && certainValue(scope, found, operators, paths)) ?? onlyLegal(name)
        const choice = declared.get(name)
        if (value === undefined && choice !== undefined) onUnknown(choice, operators)
        return value
      }
      const choices: Choices = { get, all, revision: () => revision, at: () => choices }
      return choices
    },
  }
}

/** The choices with one of them assumed to be different. */
export function assuming(
  choices: Choices,
  name: string,
  value: ChoiceValue,
  operators: OperatorGroup | undefined,
): Choices {
  const assumed: Choices = {
    ...choices,
    get: (asked, by) =>
      asked === name && (operators === undefined || operators === by) ? value : choices.get(asked, by),
    at: () => assumed,
  }
  return assumed
}

function isSamePlace(a: ChosenValue, b: ChosenValue): boolean {
  return a.scope === b.scope && a.operators === b.operators && a.property === b.property
}

/** A learned choice with the value that applies everywhere. If the observations differ, it says so instead. */
export function withCommonValue(choice: Omit<LearnedChoice, 'value' | 'undecided'>): LearnedChoice {
  const values = new Set((choice.chosen ?? []).map(({ value }) => value))
  const [value] = values
  if (values.size === 1 && value !== undefined) return { ...choice, value }
  return { ...choice, undecided: `the observations differ: ${[...values].join(', ')}` }
}

/** The value of a choice in a scope: the narrowest observations that there are, if they agree. */
function valueIn(
  scope: string,
  { value, chosen = [] }: LearnedChoice,
  operators: OperatorGroup | undefined,
): ChoiceValue | undefined {
  if (chosen.length === 0) return value
  const here = chosen.filter(each => each.scope === undefined || each.scope === scope)
  const isFor = (each: ChosenValue): boolean => each.operators === undefined || each.operators === operators
  const groups = [here.filter(isFor), here, chosen.filter(isFor), chosen]
  return commonValue(groups.find(group => group.length > 0) ?? [])
}

function certainValue(
  scope: string,
  { value, chosen = [] }: LearnedChoice,
  operators: OperatorGroup | undefined,
  properties: readonly string[],
): ChoiceValue | undefined {
  if (chosen.length === 0) return value
  const here = chosen.filter(each => {
    const isHere = each.scope === undefined || each.scope === scope
    return isHere && !each.isPresumed && (each.operators === undefined || each.operators === operators)
  })
  const isCertain =
    here.some(({ property }) => property === undefined) ||
    (properties.length > 0 && properties.every(path => here.some(({ property }) => property === path)))
  return isCertain ? commonValue(here) : undefined
}

function commonValue(chosen: readonly ChosenValue[]): ChoiceValue | undefined {
  const values = new Set(chosen.map(({ value }) => value))
  return values.size === 1 ? chosen[0]?.value : undefined
}

/** The values that a choice may have: the learned one, or all legal ones. */
interface PermittedValues {
  /** Whether the service may use this value, as far as the suite knows. */
  readonly includes: (value: string) => boolean
  /** Whether the service is known to use this value and no other. */
  readonly isOnly: (value: string) => boolean
}

/**
 * The permitted values of a choice.
 *
 * @param otherwise the value for specs that do not mention the choice
 */
export function permittedValues(
  { choices, service }: { readonly choices: Choices; readonly service: Service },
  name: string,
  otherwise: string,
): PermittedValues {
  const declared = service.open.find(choice => choice.name === name)
  const learned = choices.get(name)
  const values =
    learned !== undefined ? [String(learned)] : declared === undefined ? [otherwise] : declared.legal.map(String)
  return { includes: value => values.includes(value), isOnly: value => values.length === 1 && values[0] === value }
}

/** The rule id under which an illegal choice is reported. */
export function choiceRuleId({ name }: Pick<OpenChoice, 'name'>): string {
  return `choice-${name}`
}
