import { createHash } from 'node:crypto'
import { isObject } from '../service/json.js'
import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('entity-tags')
const libraryMutant = mutantsIn('entity-tags', 'library')

/** Faults of entity tags and conditional requests. */
export const entityTagsMutants: readonly Mutant[] = [
  libraryMutant(
    'if-none-match-compares-strongly',
    'If-None-Match does not match a weak tag in its strong form.',
    correct => ({
      matchesTag: (header, tag, which, at) =>
        which === 'If-None-Match' && tag !== undefined && header !== '*'
          ? header.split(',').some(each => each.trim() === tag)
          : correct.matchesTag(header, tag, which, at),
    }),
  ),
  mutant('if-none-match-any-unknown', 'If-None-Match: * does not match an item.', correct => ({
    matchesTag: (header, tag, which, at) =>
      !(which === 'If-None-Match' && header.trim() === '*') && correct.matchesTag(header, tag, which, at),
  })),
  mutant(
    'if-none-match-ignored',
    'A read with If-None-Match returns the item, although it has an entity tag.',
    correct => ({
      matchesTag: (header, tag, which, at) => which !== 'If-None-Match' && correct.matchesTag(header, tag, which, at),
    }),
  ),
  mutant('stale-change-accepted', 'An update with an outdated entity tag succeeds.', correct => ({
    matchesTag: (header, tag, which, at) => which === 'If-Match' || correct.matchesTag(header, tag, which, at),
  })),
  mutant(
    'stale-change-of-singleton-accepted',
    'An update of a singleton with an outdated entity tag succeeds.',
    correct => ({
      matchesTag: (header, tag, which, at) =>
        (which === 'If-Match' && at.endpoint.resolved.length === 1) || correct.matchesTag(header, tag, which, at),
    }),
  ),
  mutant(
    'old-tag-accepted-after-two-changes',
    'After two changes, an update with any entity tag succeeds.',
    correct => ({
      matchesTag: (header, tag, which, at) =>
        (which === 'If-Match' && at.target.kind === 'one' && at.target.row.version >= 2) ||
        correct.matchesTag(header, tag, which, at),
    }),
  ),
  mutant('first-listed-tag-of-change-only', 'If-Match looks at the first tag only.', correct => ({
    matchesTag: (header, tag, which, at) =>
      correct.matchesTag(which === 'If-Match' ? (header.split(',')[0] ?? '') : header, tag, which, at),
  })),
  mutant('last-listed-tag-of-change-only', 'If-Match looks at the last tag only.', correct => ({
    matchesTag: (header, tag, which, at) =>
      correct.matchesTag(which === 'If-Match' ? (header.split(',').at(-1) ?? '') : header, tag, which, at),
  })),
  mutant('tag-of-another-item-accepted', 'If-Match matches the entity tag of any item.', correct => ({
    matchesTag: (header, tag, which, at) => {
      const isMatch = correct.matchesTag(header, tag, which, at)
      if (isMatch || which !== 'If-Match') return isMatch
      return [...at.store.entities].some(each => correct.matchesTag(header, correct.tag(each, at), which, at))
    },
  })),
  mutant('first-listed-tag-only', 'If-None-Match looks at the first tag only.', correct => ({
    matchesTag: (header, tag, which, at) =>
      correct.matchesTag(which === 'If-None-Match' ? (header.split(',')[0] ?? '') : header, tag, which, at),
  })),
  mutant('last-tag-304', 'A read with the entity tag from before the last change is answered with 304.', correct => ({
    matchesTag: (header, tag, which, at) => {
      const isRead = which === 'If-None-Match' && at.target.kind === 'one' && at.target.row.version > 1
      const last = isRead ? correct.tag({ ...at.target.row, version: at.target.row.version - 1 }, at) : undefined
      return (
        correct.matchesTag(header, tag, which, at) ||
        (last !== undefined && correct.matchesTag(header, last, which, at))
      )
    },
  })),
  mutant('flags-keep-the-tag', 'A change of a Boolean property keeps the entity tag.', () => ({
    tag: ({ values }) => {
      const text = JSON.stringify(Object.entries(values).filter(([, value]) => typeof value !== 'boolean'))
      return `W/"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
    },
  })),
  mutant('stale-delete-accepted', 'A delete with an outdated entity tag succeeds.', correct => ({
    matchesTag: (header, tag, which, at) => at.endpoint.kind === 'delete' || correct.matchesTag(header, tag, which, at),
  })),
  mutant('current-tag-refused', 'An update with the current entity tag is rejected.', correct => ({
    matchesTag: (header, tag, which, at) =>
      which === 'If-Match' && header.trim() !== '*' ? false : correct.matchesTag(header, tag, which, at),
  })),
  mutant('star-refused', 'If-Match: * is rejected.', correct => ({
    matchesTag: (header, tag, which, at) => header.trim() !== '*' && correct.matchesTag(header, tag, which, at),
  })),
  mutant('refused-and-changed', 'An update that is rejected because of its entity tag is applied anyway.', correct => ({
    error: (error, message, at) => {
      const key = at.request.path.split('/').at(-1)
      const row = [...at.store.entities].find(each => each.type.key.some(({ name }) => each.values[name] === key))
      const name = row?.type.properties.find(({ nullable, computed }) => nullable && !computed)?.name
      if (error === at.service.faults.preconditionFailed && row !== undefined && name !== undefined) {
        row.values[name] = null
        row.version++
      }
      return correct.error(error, message, at)
    },
  })),
  mutant('tag-never-changes', 'The entity tag stays the same when the item changes.', correct => ({
    tag: (row, at) => (correct.tag(row, at) === undefined ? undefined : 'W/"1"'),
  })),
  mutant(
    'tag-of-singleton-never-changes',
    'The entity tag of a singleton stays the same when it changes.',
    correct => ({
      tag: (row, at) => {
        const isSingleton = at.endpoint.resolved.length === 1 && at.endpoint.kind !== 'collection'
        return correct.tag(row, at)?.replace(/[^"]+"$/, each => (isSingleton ? '1"' : each))
      },
    }),
  ),
  libraryMutant('never-304', 'A read with the current entity tag returns the item.', correct => ({
    matchesTag: (header, tag, which, at) => which === 'If-Match' && correct.matchesTag(header, tag, which, at),
  })),
  mutant('always-304', 'A read with any entity tag is answered with 304.', correct => ({
    matchesTag: (header, tag, which, at) => which === 'If-None-Match' || correct.matchesTag(header, tag, which, at),
  })),
  mutant('not-modified-without-tag', 'A response with status 304 has no ETag.', () => ({
    reply: reply => (reply.status === 304 ? { ...reply, headers: {} } : reply),
  })),
  mutant('read-refused-for-tag', 'A read with the current entity tag is answered with 412.', () => ({
    reply: reply =>
      reply.status === 304 ? { ...reply, status: 412, json: { error: { code: 'x', message: 'x' } } } : reply,
  })),
  mutant(
    'singleton-update-answers-old-tag',
    'The tag in the body of an updated singleton is the old one.',
    correct => ({
      reply: (reply, at) => {
        const { json } = reply
        const isUpdate = at.request.method === 'PATCH' && reply.status === 200 && at.request.path.lastIndexOf('/') === 0
        if (!isUpdate || !isObject(json) || json['@odata.etag'] === undefined) return correct.reply(reply, at)
        return correct.reply({ ...reply, json: { ...json, '@odata.etag': 'W/"0"' } }, at)
      },
    }),
  ),
  mutant('tag-in-body-differs', 'The tag in the body differs from the tag in the header.', () =>
    changeBody(body => (typeof body['@odata.etag'] === 'string' ? { ...body, '@odata.etag': 'W/"other"' } : body)),
  ),
  mutant('tag-changes-with-each-read', 'The entity tag changes with each read.', correct => ({
    tag: (row, at) => (correct.tag(row, at) === undefined ? undefined : `W/"${row.version}-${at.number}"`),
  })),
  mutant('tag-without-quotes', 'The entity tag has no quotes.', correct => ({
    tag: (row, at) => correct.tag(row, at)?.replaceAll('"', ''),
  })),
  mutant('tag-of-list-differs', 'The tags in lists differ from those of single items.', correct => ({
    tag: (row, at) => correct.tag(row, at)?.replace(/"$/, at.endpoint.kind === 'collection' ? '-list"' : '"'),
  })),
  libraryMutant(
    'unconditional-change-accepted',
    'An update that requires a condition succeeds without one.',
    correct => ({
      header: (name, at) => correct.header(name, at) ?? (name === 'If-Match' ? '*' : null),
    }),
  ),
]
