import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('delta')
const libraryMutant = mutantsIn('delta', 'library')

/** Faults of delta queries. */
export const deltaMutants: readonly Mutant[] = [
  libraryMutant('delta-misses-changes', 'Changes are not reported.', () => ({ changedSince: () => [] })),
  mutant('delta-first-round-short', 'The first round omits a row.', () =>
    changeBody((body, at) => {
      const { value } = body
      const isFirst = at.endpoint?.kind === 'delta' && !at.request.query.includes('token=')
      return isFirst && Array.isArray(value) ? { ...body, value: value.slice(1) } : body
    }),
  ),
  mutant('delta-without-link', 'The last page has no delta link.', () =>
    changeBody(({ '@odata.deltaLink': _, ...body }) => body),
  ),
  mutant('delta-both-links', 'A page has both a next link and a delta link.', () =>
    changeBody((body, at) => {
      const link = body['@odata.deltaLink']
      return at.endpoint?.kind === 'delta' && link !== undefined ? { ...body, '@odata.nextLink': link } : body
    }),
  ),
  libraryMutant('track-changes-without-link', 'A list that tracks changes ends without a delta link.', () =>
    changeBody(({ '@odata.deltaLink': link, ...body }, at) =>
      link === undefined || at.endpoint?.kind === 'collection' ? body : { ...body, '@odata.deltaLink': link },
    ),
  ),
  libraryMutant(
    'track-changes-claimed',
    'Preference-Applied names track-changes, but the list has no first item.',
    () =>
      changeBody((body, at) => {
        const { value } = body
        const isTracked =
          at.endpoint?.kind === 'collection' && (at.request.headers.get('Prefer') ?? '').includes('track-')
        return isTracked && Array.isArray(value) ? { ...body, value: value.slice(1) } : body
      }),
  ),
  libraryMutant(
    'track-changes-one-page',
    'A list that tracks changes ends after the first page of the preferred size.',
    () =>
      changeBody(({ '@odata.nextLink': link, ...body }, at) => {
        const prefer = at.request.headers.get('Prefer') ?? ''
        const isEnd = at.endpoint?.kind === 'collection' && prefer.includes('track-') && prefer.includes('maxpagesize')
        return link === undefined ? body : { ...body, [isEnd ? '@odata.deltaLink' : '@odata.nextLink']: link }
      }),
  ),
  mutant('delta-link-refused', 'Following a delta link causes an error.', () => ({
    reject: (options, at) =>
      options.deltatoken === undefined ? undefined : { kind: 'refused', error: at.service.faults.malformedQueryOption },
  })),
  mutant('delta-token-unchecked', 'An unknown delta token returns no changes instead of an error.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.expiredToken
        ? {
            status: 200,
            headers: {},
            json: { value: [], '@odata.deltaLink': `${at.request.root}${at.request.path}?$deltatoken=1` },
          }
        : correct.error(error, message, at),
  })),
  mutant('delta-select-ignored', '$select has no effect on delta queries.', () => ({
    interpret: (options, at) => {
      const { select: _, ...others } = options
      return at.endpoint.kind === 'delta' ? others : options
    },
  })),
  libraryMutant('delta-reports-old-values', 'A change is reported with the old values.', correct => {
    const before = new Map<object, ReturnType<typeof correct.merge>>()
    return {
      commit: (change, at) => {
        if (change.kind === 'update') before.set(change.entity, change.entity.values)
        correct.commit(change, at)
      },
      item: (item, row, at) => {
        const old = before.get(row)
        return at.endpoint.kind === 'delta' && old !== undefined && at.options.deltatoken !== undefined
          ? { ...item, ...Object.fromEntries(Object.entries(old).filter(([name]) => name in item)) }
          : correct.item(item, row, at)
      },
    }
  }),
  mutant('delta-misses-updates-to-null', 'Updates that clear a property are not reported.', correct => {
    const cleared = new Set<object>()
    return {
      commit: (change, at) => {
        correct.commit(change, at)
        if (change.kind !== 'update') return
        if (Object.values(change.values).some(value => value === null)) cleared.add(change.entity)
        else cleared.delete(change.entity)
      },
      changedSince: (rows, since, at) => correct.changedSince(rows, since, at).filter(row => !cleared.has(row)),
    }
  }),
  mutant('delta-rows-without-key', 'Rows of delta queries have no key.', correct => ({
    includesProperty: (property, selected, row, at) =>
      at.endpoint.kind === 'delta' && row?.type.key.includes(property) === true
        ? false
        : correct.includesProperty(property, selected, row, at),
  })),
  libraryMutant('delta-misses-deletes', 'Deleted items are not reported.', () => ({ removedSince: () => [] })),
  libraryMutant('delta-misses-creates', 'Created items are not reported.', correct => ({
    changedSince: (rows, since, at) => correct.changedSince(rows, since, at).filter(row => row.version > 1),
  })),
  libraryMutant('delta-deletes-unmarked', 'Deleted items are reported as present.', correct => ({
    removedSince: (since, at) =>
      correct
        .removedSince(since, at)
        .map(deleted => (typeof deleted === 'object' && deleted !== null ? { ...deleted, '@removed': null } : deleted)),
  })),
  mutant('delta-link-works-once', 'A delta link that is read again reports nothing.', correct => {
    const read = new Set<unknown>()
    return {
      changedSince: (rows, since, at) => {
        const changed = read.has(since) ? [] : correct.changedSince(rows, since, at)
        // A round without changes may be read at any time.
        if (changed.length > 0) read.add(since)
        return changed
      },
    }
  }),
]
