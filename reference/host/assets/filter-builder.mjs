// The builder of a filter: rows of a property, an operator and a value, and groups of them, out of what the endpoint supports.

import { element } from './element.mjs'
import { filterCode, filterText, nullOperators, operatorsOf } from './filter.mjs'

/**
 * @param filter what filters of the endpoint can contain
 * @param changed receives the text of the filter
 * @returns the element, and `code`: the filter as code, unless the reader has written another text
 */
export function filterBuilder({ fields, logical }, changed) {
  const choices = fields.flatMap(field =>
    (field.collection?.lambdas ?? [undefined]).flatMap(lambda =>
      (field.operands.length === 0 ? [undefined] : field.operands).map(operand => ({
        field,
        lambda,
        operand,
        label: labelOf(field, lambda, operand),
      })),
    ),
  )
  const kinds = { choices, logical: logical.filter(name => name !== 'not'), canNegate: logical.includes('not') }
  const update = () => changed(filterText(whole.node()))
  const whole = conditionGroup(kinds, update)
  return {
    // The form would take each letter for a change of the whole request.
    element: element(
      'fieldset',
      { class: 'builder', oninput: event => event.stopPropagation() },
      element('legend', {}, 'Filter builder'),
      ...whole.parts,
    ),
    code: text => (text !== '' && text === filterText(whole.node()) ? filterCode(whole.node()) : undefined),
  }
}

/** Groups in groups in groups say all that a person can follow. */
const deepest = 3

/** Conditions and groups that one operator combines. The first operator is that which the group around does not use. */
function conditionGroup(kinds, update, depth = 0, outer = 'or') {
  const members = []
  const list = element('div')
  const join = select(
    'How to combine the conditions',
    kinds.logical,
    name => `${name === 'and' ? 'all' : 'any'} of these (${name})`,
  )
  join.value = kinds.logical.find(name => name !== outer) ?? kinds.logical[0]
  const joinRow = element('div', { class: 'row', hidden: true }, join)
  const refresh = () => {
    joinRow.hidden = members.length < 2
    more.hidden = members.length > 0 && kinds.logical.length === 0
    update()
  }
  const add = make => {
    const member = make(() => {
      members.splice(members.indexOf(member), 1)
      member.element.remove()
      refresh()
      more.focus()
    })
    members.push(member)
    list.append(member.element)
    refresh()
    member.element.querySelector('select:not([hidden] *), button').focus()
  }
  const addCondition = () => add(remove => conditionRow(kinds, update, remove))
  const addGroup = () =>
    add(remove => {
      const inner = conditionGroup(kinds, update, depth + 1, join.value)
      inner.addCondition()
      return {
        node: inner.node,
        element: element(
          'fieldset',
          { class: 'group' },
          element('legend', {}, 'Group'),
          ...inner.parts,
          element('button', { type: 'button', class: 'plain', onclick: remove }, 'Remove the group'),
        ),
      }
    })
  const more = element('button', { type: 'button', class: 'plain', onclick: addCondition }, 'Add a condition')
  const nest = element('button', { type: 'button', class: 'plain', onclick: addGroup }, 'Add a group')
  // With one operator, a group says nothing new.
  nest.hidden = kinds.logical.length < 2 || depth === deepest
  join.addEventListener('change', update)
  return {
    addCondition,
    parts: [joinRow, list, more, nest],
    node: () => ({ members: members.map(member => member.node()), logical: join.value }),
  }
}

function labelOf({ path, collection, type }, lambda, operand) {
  const value = collection === undefined ? path : path === '' ? collection.path : `${collection.path}/${path}`
  const whole = operand?.function === undefined ? value : `${operand.function}(${value})`
  return `${lambda === undefined ? '' : `${lambda} `}${whole}${operand?.function === undefined ? `: ${type}` : ''}`
}

function select(label, values, text = value => value) {
  return element('select', { 'aria-label': label }, ...values.map(value => element('option', { value }, text(value))))
}

function conditionRow({ choices, canNegate }, update, remove) {
  const property = select('Property', [...choices.keys()], index => choices[index].label)
  const operator = select('Operator', [])
  const holder = element('span', { class: 'value' })
  let input
  const chosen = () => choices[Number(property.value)]
  const fill = () => {
    const { field, operand } = chosen()
    const names = operatorsOf(field, operand).flatMap(name =>
      canNegate && field.predicates.includes(name) ? [name, `not ${name}`] : [name],
    )
    operator.replaceChildren(...names.map(name => element('option', { value: name }, name)))
    fillValue()
  }
  const fillValue = () => {
    const { field, operand } = chosen()
    const previous = input?.value ?? ''
    const isListed = operator.value === 'in'
    const values =
      operand?.form === 'boolean' ? ['true', 'false'] : operand?.form === 'enumeration' ? field.members : undefined
    input =
      values === undefined || isListed
        ? element('input', {
            type: 'text',
            'aria-label': isListed ? 'Values, with commas between them' : 'Value',
            autocomplete: 'off',
            autocapitalize: 'none',
            spellcheck: 'false',
          })
        : select('Value', values)
    if (values === undefined) input.value = previous
    input.addEventListener('input', update)
    holder.replaceChildren(...(Object.hasOwn(nullOperators, operator.value) ? [] : [input]))
    update()
  }
  const node = () => {
    const { field, lambda, operand } = chosen()
    const negated = operator.value.startsWith('not ')
    return {
      field,
      lambda,
      operand,
      negated,
      operator: negated ? operator.value.slice(4) : operator.value,
      value: input?.value ?? '',
    }
  }
  property.addEventListener('change', fill)
  operator.addEventListener('change', fillValue)
  const made = {
    node,
    element: element(
      'div',
      { class: 'row' },
      property,
      operator,
      holder,
      element('button', { type: 'button', class: 'plain', onclick: remove }, 'Remove'),
    ),
  }
  queueMicrotask(fill)
  return made
}
