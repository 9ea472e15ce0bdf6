import type { Clause, OpenChoice, Profile } from '../model/service.js'
import { pointerTo } from '../source/pointer.js'
import { type Resolution, refer } from './resolution.js'

/** What the interface leaves open, and what it says. */
export interface Choices {
  readonly open: ReadonlyMap<string, OpenChoice>
  readonly clauses: readonly Clause[]
  readonly profiles: readonly Profile[]
}

/** Resolves the chapters `open`, `clauses` and `profiles`. */
export function resolveChoices(resolution: Resolution): Choices {
  const { document } = resolution
  const open = new Map<string, OpenChoice>()
  for (const [name, choice] of Object.entries(document.open ?? {})) {
    const { legal, reference } = choice
    open.set(name, { ...resolution.annotations(choice, pointerTo('/open', name)), name, legal, reference })
  }
  const choiceOf = (name: string, at: string, on?: 'key'): OpenChoice | undefined =>
    refer(resolution, { kind: 'choice', name, at, chapter: '/open', known: open, ...(on === undefined ? {} : { on }) })

  const clauses = Object.entries(document.clauses ?? {}).map(([id, { ref, quote, open: name }]): Clause => {
    const pointer = pointerTo('/clauses', id)
    const choice = name === undefined ? undefined : choiceOf(name, `${pointer}/open`)
    return { id, ref, quote, place: { pointer }, ...(choice === undefined ? {} : { open: choice }) }
  })
  const profiles = Object.entries(document.profiles ?? {}).map(([name, demands]): Profile => {
    const pointer = pointerTo('/profiles', name)
    const choices = Object.entries(demands).flatMap(([choiceName, value]) => {
      const choice = choiceOf(choiceName, pointerTo(pointer, choiceName), 'key')
      return choice === undefined ? [] : [{ choice, value: String(value) }]
    })
    return { name, choices, place: { pointer } }
  })
  return { open, clauses, profiles }
}
