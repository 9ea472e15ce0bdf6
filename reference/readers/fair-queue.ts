/** Work of one principal. */
interface Owned {
  readonly principal: string
}

/** A bounded queue in which principals take turns, however much each of them has waiting. */
export interface FairQueue<Job extends Owned> {
  /**
   * Adds a job.
   *
   * @returns the job that has no room: the last one of the principal who has the most waiting, which can be this one
   */
  readonly push: (job: Job) => Job | undefined
  /** Takes the next job: the first one of the principal whose last turn is the longest ago. */
  readonly shift: () => Job | undefined
  /** Removes a job that is no longer needed. */
  readonly remove: (job: Job) => void
  readonly size: () => number
}

/** @param limit the number of jobs that wait */
export function createFairQueue<Job extends Owned>(limit: number): FairQueue<Job> {
  // In the order of their turns.
  const lines = new Map<string, Job[]>()
  let size = 0
  const dropEmpty = (principal: string, line: readonly Job[]): void => {
    if (line.length === 0) lines.delete(principal)
  }
  const evict = (): Job | undefined => {
    let longest: Job[] = []
    for (const line of lines.values()) if (line.length > longest.length) longest = line
    const job = longest.pop()
    if (job !== undefined) {
      size--
      dropEmpty(job.principal, longest)
    }
    return job
  }
  return {
    push: job => {
      const line = lines.get(job.principal) ?? []
      line.push(job)
      lines.set(job.principal, line)
      size++
      return size > limit ? evict() : undefined
    },
    shift: () => {
      const [next] = lines
      if (next === undefined) return undefined
      const [principal, line] = next
      const job = line.shift()
      size--
      lines.delete(principal)
      if (line.length > 0) lines.set(principal, line)
      return job
    },
    remove: job => {
      const line = lines.get(job.principal)
      const index = line?.indexOf(job) ?? -1
      if (line === undefined || index < 0) return
      line.splice(index, 1)
      size--
      dropEmpty(job.principal, line)
    },
    size: () => size,
  }
}
