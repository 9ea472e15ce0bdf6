import type { Check } from './check.js'

/** A member of the error body is either required or optional. */
export const errorBody: Check = ({ service, report }) => {
  const { required, optional } = service.errorBody
  for (const [index, name] of optional.entries()) {
    if (!required.includes(name)) continue
    const message = `"${name}" is among the required members already. Remove it from one of the two lists.`
    const related = [{ message: 'required here', at: `/errorBody/required/${required.indexOf(name)}` }]
    report({ code: 'spec/error-body', message, at: `/errorBody/optional/${index}`, related })
  }
}
