import type { CsdlElement } from '../csdl/csdl-element.js'
import { type Finding, fault, loss, type Note } from '../finding.js'

const edmx = 'http://docs.oasis-open.org/odata/ns/edmx'
const edm = 'http://docs.oasis-open.org/odata/ns/edm'

/** The namespace of EDMX in the versions of OData before the fourth. */
const olderEdmx = 'http://schemas.microsoft.com/ado/2007/06/edmx'

/** The namespaces of CSDL in the versions before the fourth. */
const olderEdm = /^http:\/\/schemas\.microsoft\.com\/ado\/\d{4}\/\d{2}\/edm$/

/**
 * Whether a document is the metadata of an OData 4 service, and nothing else; what of it belongs to other vocabularies is
 * taken out.
 *
 * @returns the root, or why it is none
 */
export function checkEdmx(root: CsdlElement, note: Note): CsdlElement | Finding {
  const namespace = root.attributes.get('xmlns')
  if (root.name !== 'Edmx' || (namespace !== edmx && namespace !== olderEdmx)) {
    const message = `The root is <${root.name}>, expected <edmx:Edmx> of the namespace ${edmx}: the answer of an OData 4 service to $metadata.`
    return fault('not-metadata', message, root.spot)
  }
  const version = root.attributes.get('Version') ?? ''
  if (namespace === olderEdmx || !/^4\.\d+$/.test(version)) {
    const found =
      namespace === olderEdmx ? 'an earlier version of OData (1 to 3)' : `EDMX ${version || 'without version'}`
    const message = `This is the metadata of ${found}; OData 4 is expected. Ask the service for its OData 4 endpoint, or convert the document.`
    return fault('odata-version', message, root.spot)
  }
  const schemas = root.children.flatMap(({ children }) => children)
  const older = schemas.find(({ attributes }) => olderEdm.test(attributes.get('xmlns') ?? ''))
  if (older !== undefined) {
    const message = `The schema is one of an earlier version of OData (${older.attributes.get('xmlns')}); OData 4 is expected.`
    return fault('odata-version', message, older.spot)
  }
  return ownElements(root, note)
}

function ownElements(element: CsdlElement, note: Note): CsdlElement {
  const children = element.children.flatMap(child => {
    const namespace = child.attributes.get('xmlns')
    if (namespace === edm || namespace === edmx) return [ownElements(child, note)]
    const message = `Elements of the namespace ${namespace || '(none)'} are none of CSDL`
    note(loss('foreign-element', message, child.name, child.spot))
    return []
  })
  return { ...element, children }
}
