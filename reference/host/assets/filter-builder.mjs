// The builder of a filter: rows of a property, an operator and a value, out of what the endpoint supports.

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
  const rows = []
  const list = element('div')
  const join = select(
    'How to combine the conditions',
    logical.filter(name => name !== 'not'),
    name => `${name === 'and' ? 'all' : 'any'} of these (${name})`,
  )
  const canNegate = logical.includes('not')
  const joinRow = element('div', { class: 'row', hidden: true }, join)

  const conditions = () => rows.map(row => row.condition())
  const update = () => {
    joinRow.hidden = rows.length < 2
    more.hidden = rows.length > 0 && join.options.length === 0
    changed(filterText(conditions(), join.value))
  }
  const add = () => {
    const row = conditionRow(choices, canNegate, update, () => {
      rows.splice(rows.indexOf(row), 1)
      row.element.remove()
      update()
      more.focus()
    })
    rows.push(row)
    list.append(row.element)
    update()
    row.element.querySelector('select').focus()
  }
  const more = element('button', { type: 'button', class: 'plain', onclick: add }, 'Add a condition')
  join.addEventListener('change', update)
  // The form would take each letter for a change of the whole request.
  const part = element(
    'fieldset',
    { class: 'builder', oninput: event => event.stopPropagation() },
    element('legend', {}, 'Filter builder'),
    joinRow,
    list,
    more,
  )
  return {
    element: part,
    code: text =>
      text !== '' && text === filterText(conditions(), join.value) ? filterCode(conditions(), join.value) : undefined,
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

function conditionRow(choices, canNegate, update, remove) {
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
  const condition = () => {
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
    condition,
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
