import fc from 'fast-check'

/** A request of the caller who looks for the most expensive one. */
export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly target: string
  /** Sent as JSON. */
  readonly body?: object
}

/** The topic that a write creates or changes, in numbers of what it has. */
interface Write {
  readonly kind: 'create' | 'replace' | 'delta'
  readonly posts: number
  /** The words of each post. */
  readonly words: number
  /** The characters of each word. */
  readonly letters: number
  /** New topics that it is related to, each with a post. */
  readonly related: number
  /** Existing topics that it is related to. */
  readonly links: number
  readonly tags: number
  readonly places: number
}

const sizes = ['posts', 'words', 'related', 'links', 'tags', 'places'] as const

/** The largest number of each: as many as a body of a megabyte can have, or the limit of related items. */
const most: Readonly<Record<(typeof sizes)[number], number>> = {
  posts: 500,
  words: 500_000,
  related: 250,
  links: 500,
  tags: 150_000,
  places: 40_000,
}

const maxRelated = 500
const maxBytes = 1_048_576

/** Draws writes at random, keeps those that cost most, and changes them. */
export interface WriteSearch {
  /** A write with what it takes to note its cost. Now and then it deletes what an earlier one has created. */
  readonly next: () => { readonly request: SentRequest; readonly note: (cost: number) => void }
  /** A write with so many related items at most, for a batch. */
  readonly small: (related: number) => SentRequest
  /** The most expensive writes so far, the most expensive one first. */
  readonly mostExpensive: () => readonly { readonly write: Write; readonly cost: number }[]
}

/** The most expensive writes that are kept. */
const kept = 8

/** The topics that are there at a time. */
const maxTopics = 20

/**
 * @param seed the same seed draws the same writes; what is kept depends on their costs
 * @param ids of existing topics, to link
 * @param scale the share of the largest sizes that is drawn
 */
export function createWriteSearch(seed: number, ids: readonly string[], scale: number): WriteSearch {
  let draws = 0
  const draw = <Value>(arbitrary: fc.Arbitrary<Value>): Value => {
    const [value] = fc.sample(arbitrary, { numRuns: 1, seed: seed * 1_000_033 + draws++ })
    if (value === undefined) throw new Error('The arbitrary drew nothing.')
    return value
  }
  const numberOf = (size: (typeof sizes)[number]): fc.Arbitrary<number> => {
    const top = Math.ceil(most[size] * scale)
    return fc.oneof(fc.constant(0), fc.constant(top), fc.nat(top))
  }
  const fresh: fc.Arbitrary<Write> = fc.record({
    kind: fc.constantFrom('create', 'create', 'replace', 'delta'),
    letters: fc.constantFrom(1, 1, 5),
    posts: numberOf('posts'),
    words: numberOf('words'),
    related: numberOf('related'),
    links: numberOf('links'),
    tags: numberOf('tags'),
    places: numberOf('places'),
  })
  const changed = (write: Write): Write => {
    const size = draw(fc.constantFrom(...sizes))
    const number = draw(fc.oneof(numberOf(size), fc.constant(Math.ceil(write[size] / 2))))
    return { ...write, kind: draw(fc.constantFrom(write.kind, 'create', 'replace', 'delta')), [size]: number }
  }
  let created = 0
  const topics: string[] = []
  let best: { readonly write: Write; readonly cost: number }[] = []
  /** The request for a write, or for the largest one like it that the service accepts. */
  const requestOf = (write: Write): SentRequest => {
    const { posts, related, links } = write
    if (posts + 2 * related + links > maxRelated)
      return requestOf({ ...write, posts: posts >> 1, related: related >> 1, links: links >> 1 })
    const request = anyRequestOf(write)
    if (JSON.stringify(request.body).length <= maxBytes) return request
    const { words, tags, places } = write
    return requestOf({
      ...write,
      words: Math.floor(words * 0.8),
      tags: Math.floor(tags * 0.8),
      places: Math.floor(places * 0.8),
    })
  }
  const anyRequestOf = (write: Write): SentRequest => {
    const known = topics[draw(fc.nat(maxTopics)) % Math.max(1, topics.length)]
    const isCreate = write.kind === 'create' || known === undefined
    const id = isCreate ? `x${seed}-${created++}` : known
    const posts = postsOf(write, write.kind === 'delta' ? created : 0)
    const content = {
      ...topicOf(id, write),
      ...(isCreate || write.kind === 'replace' ? { posts } : { 'posts@odata.delta': posts }),
      ...(write.links === 0
        ? {}
        : {
            'related@odata.bind': Array.from(
              { length: write.links },
              (_, index) => `topics('${ids[index % ids.length]}')`,
            ),
          }),
    }
    if (!isCreate) {
      const { id: _, ...changes } = content
      return { method: 'PATCH', target: `/topics/${id}`, body: changes }
    }
    const related = Array.from({ length: write.related }, () => ({
      ...topicOf(`x${seed}-${created++}`, { tags: 0, places: 0 }),
      posts: postsOf({ posts: 1, words: 3, letters: 1 }, 0),
    }))
    return { method: 'POST', target: '/topics', body: write.related === 0 ? content : { ...content, related } }
  }
  const noteTopic = ({ method, body }: SentRequest): void => {
    if (method === 'POST' && body !== undefined && 'id' in body) topics.push(String(body.id))
  }
  return {
    next: () => {
      const oldest = topics.length > maxTopics ? topics.shift() : undefined
      if (oldest !== undefined)
        return { request: { method: 'DELETE', target: `/topics/${oldest}` }, note: () => undefined }
      const from = best.length === 0 ? undefined : best[draw(fc.nat(best.length - 1))]
      const way = draw(fc.constantFrom('fresh', 'changed', 'changed', 'again'))
      const write =
        from === undefined || way === 'fresh' ? draw(fresh) : way === 'again' ? from.write : changed(from.write)
      const note = (cost: number): void => {
        best = [...best.filter(each => each.write !== write), { write, cost }]
          .toSorted((left, right) => right.cost - left.cost)
          .slice(0, kept)
      }
      const request = requestOf(write)
      noteTopic(request)
      return { request, note }
    },
    small: related => {
      const write = { words: 3, letters: 2, related: 0, links: 0, tags: 3, places: 1 }
      return requestOf({ ...write, kind: 'create', posts: related })
    },
    mostExpensive: () => best,
  }
}

function topicOf(id: string, { tags, places }: Pick<Write, 'tags' | 'places'>) {
  return {
    id,
    title: 'A topic of the attack',
    views: 0,
    opened: '2024-01-01T00:00:00Z',
    tags: Array.from({ length: tags }, (_, index) => `t${index}`),
    places: Array.from({ length: places }, (_, index) => ({ name: `n${index}`, size: 1.5 })),
  }
}

/** Posts with different numbers. The words of each are fewer if there are many, so that the body fits. */
function postsOf({ posts, words, letters }: Pick<Write, 'posts' | 'words' | 'letters'>, first: number) {
  const each = Math.ceil(words / Math.max(1, posts))
  const text = Array.from({ length: each }, (_, index) => index.toString(36).padStart(letters, 'a')).join(' ')
  return Array.from({ length: posts }, (_, index) => ({ number: first + index, text, score: 1, words: [] }))
}
