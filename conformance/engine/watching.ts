import type { Answer } from '../http/answer.js'
import type { Watch } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'

/** What a watching rule saw in an answer. */
export interface Sighting {
  readonly watch: Watch
  readonly answer: Answer
  readonly site: Site | undefined
  readonly finding: Finding
}

/** Shows each answer to all watching rules, and keeps what they find until it is taken. */
export interface Watching {
  readonly show: (answer: Answer, site: Site | undefined, session: Session) => void
  readonly take: () => readonly Sighting[]
  /** On how many answers a rule had something to look at. */
  readonly looks: (watch: Watch) => number
}

export function createWatching(watches: readonly Watch[]): Watching {
  let sightings: Sighting[] = []
  const looks = new Map<Watch, number>()
  return {
    show: (answer, site, session) => {
      if (answer.trouble !== undefined) return
      for (const watch of watches) {
        const finding = watch.watch(answer, site, session)
        if (finding === undefined) continue
        looks.set(watch, (looks.get(watch) ?? 0) + 1)
        if (finding !== 'seen') sightings.push({ watch, answer, site, finding })
      }
    },
    take: () => {
      const taken = sightings
      sightings = []
      return taken
    },
    looks: watch => looks.get(watch) ?? 0,
  }
}
