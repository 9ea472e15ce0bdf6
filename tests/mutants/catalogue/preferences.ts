import { isObject } from '../service/json.js'
import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('preferences')
const libraryMutant = mutantsIn('preferences', 'library')

/** Faults of preferences. */
export const preferencesMutants: readonly Mutant[] = [
  mutant('preference-kept', 'An item keeps the form that an earlier read preferred.', correct => {
    const preferred = new Map<string, string>()
    return {
      header: (name, at) => {
        const value = correct.header(name, at)
        if (name.toLowerCase() !== 'prefer' || at.endpoint.kind !== 'item') return value
        if (value !== null) preferred.set(at.request.path, value)
        return value ?? preferred.get(at.request.path) ?? null
      },
    }
  }),
  mutant('preference-sticks', 'A read without a preference follows the last one that any read had.', correct => {
    let last: string | null = null
    return {
      header: (name, at) => {
        const value = correct.header(name, at)
        if (name.toLowerCase() !== 'prefer') return value
        last = value ?? last
        return last
      },
    }
  }),
  libraryMutant('async-without-monitor', 'A 202 does not say where the status monitor is.', () => ({
    reply: reply => {
      const { Location: _, ...headers } = reply.headers
      return reply.status === 202 ? { ...reply, headers } : reply
    },
  })),
  libraryMutant('async-result-empty', 'A status monitor returns an empty list.', () =>
    changeBody((body, at) => (at.request.path.startsWith('/$async/') ? { ...body, value: [] } : body)),
  ),
  libraryMutant('omit-values-unclaimed', 'Omitted nulls are not reported as an applied preference.', () => ({
    reply: reply => {
      const { 'Preference-Applied': applied, ...headers } = reply.headers
      return applied?.startsWith('omit-values') === true ? { ...reply, headers } : reply
    },
  })),
  libraryMutant('omit-values-loses-zero', 'omit-values=nulls also omits zero, false and empty texts.', () => ({
    omits: (value, { default: initial = null }, omitted) =>
      omitted === 'nulls' ? value === null || value === 0 || value === false || value === '' : value === initial,
  })),
  libraryMutant('omit-defaults-loses-false', 'omit-values=defaults omits false, whatever the default.', correct => ({
    omits: (value, property, omitted) =>
      correct.omits(value, property, omitted) || (omitted === 'defaults' && value === false),
  })),
  libraryMutant('omit-values-ignored', 'Nothing is omitted, although the service says so.', () => ({
    omits: () => false,
  })),
  mutant('preference-claimed', 'A preference is reported as applied but is not.', correct => ({
    header: (name, at) => (name === 'Prefer' ? null : correct.header(name, at)),
    reply: (reply, at) => {
      const given = at.request.headers.get('Prefer')
      const [preference] = at.endpoint?.preferences ?? []
      return given === null || preference === undefined || reply.status !== 200
        ? reply
        : { ...reply, headers: { ...reply.headers, 'Preference-Applied': given } }
    },
  })),
  mutant('preference-turned-round', 'A preference is applied with its other value.', correct => ({
    header: (name, at) => {
      const given = correct.header(name, at)
      const [first, second] = at.endpoint.preferences[0]?.values ?? []
      if (name !== 'Prefer' || given === null || first === undefined || second === undefined) return given
      return given.includes(first) ? given.replace(first, second) : given.replace(second, first)
    },
  })),
  mutant('preference-on-first-page', 'A preference is ignored from the second page on.', correct => ({
    header: (name, at) => (name === 'Prefer' && at.options.skiptoken !== undefined ? null : correct.header(name, at)),
  })),
  mutant('preference-without-select', 'A preference is ignored together with $select.', correct => ({
    header: (name, at) => (name === 'Prefer' && at.options.select !== undefined ? null : correct.header(name, at)),
  })),
  mutant('preference-of-selected-lists-ignored', 'A list with $select ignores a preference.', correct => ({
    header: (name, at) =>
      name === 'Prefer' && at.options.select !== undefined && at.endpoint.kind === 'collection'
        ? null
        : correct.header(name, at),
  })),
  mutant('preference-first-of-several', 'Of several preferences, only the first one counts.', correct => ({
    header: (name, at) => {
      const value = correct.header(name, at)
      return name === 'Prefer' ? (value?.split(',')[0] ?? null) : value
    },
  })),
  mutant('preference-unquoted', 'A preference is understood without quotes only.', correct => ({
    header: (name, at) => {
      const value = correct.header(name, at)
      return name === 'Prefer' && value?.includes('"') === true ? null : value
    },
  })),
  mutant('preference-strips-texts', 'A preference for text removes what looks like a tag from texts.', correct => ({
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      const isText = at.request.headers.get('Prefer')?.includes('text"') === true
      const content = isObject(shown) && shown['contentType'] === 'text' ? shown['content'] : undefined
      return isText && isObject(shown) && typeof content === 'string'
        ? { ...shown, content: content.replaceAll(/<[^>]*>/g, '') }
        : shown
    },
  })),
  mutant('preference-stored', 'An update stores the form that its preference asks for.', correct => ({
    commit: (change, at) => {
      const given = at.request.headers.get('Prefer')
      const preferences = at.service.endpoints.flatMap(({ preferences }) => preferences)
      const preference = preferences.find(({ name }) => given?.includes(name))
      const [outer = '', inner = ''] = preference?.property?.split('/') ?? []
      const value = preference?.values.find(each => given?.includes(each))
      const object = change.kind === 'update' ? change.values[outer] : undefined
      if (change.kind !== 'update' || value === undefined || !isObject(object)) return correct.commit(change, at)
      correct.commit({ ...change, values: { ...change.values, [outer]: { ...object, [inner]: value } } }, at)
    },
  })),
  mutant('preference-keeps-tags', 'A text body still has the tags of HTML.', correct => ({
    convertText: (text, form) => (form === 'text' ? text : correct.convertText(text, form)),
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      const isHtml = isObject(shown) && shown['contentType'] === 'html'
      return isHtml ? { ...shown, content: `<p>${shown['content']}</p>` } : shown
    },
  })),
  mutant('preference-keeps-entities', 'A text body still has the entities of HTML.', correct => ({
    convertText: (text, form) => (form === 'text' ? text.replaceAll(/<[^>]*>/g, '') : correct.convertText(text, form)),
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      const content = isObject(shown) && shown['contentType'] === 'html' ? shown['content'] : undefined
      return isObject(shown) && typeof content === 'string'
        ? { ...shown, content: content.replaceAll(' ', '&nbsp;') }
        : shown
    },
  })),
  mutant('preference-clears', 'A preference empties the adjacent property.', () =>
    changeBody((body, at) => {
      const property = at.endpoint?.preferences[0]?.property?.split('/') ?? []
      const [outer = '', inner = ''] = property
      const object = body[outer]
      if (!at.request.headers.has('Prefer') || typeof object !== 'object' || object === null) return body
      return { ...body, [outer]: { [inner]: Reflect.get(object, inner) ?? null } }
    }),
  ),
  mutant('preference-hides-values', 'A preference removes other properties of the item.', correct => ({
    includesProperty: (property, selected, row, at) =>
      at.endpoint.preferences.length > 0 && at.request.headers.has('Prefer') && property === row?.type.properties[1]
        ? false
        : correct.includesProperty(property, selected, row, at),
  })),
]
