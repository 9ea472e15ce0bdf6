import { DOMParser, type Element } from '@xmldom/xmldom'

/**
 * Reads CSDL XML with an independent parser, as the object that CSDL JSON would contain, so that tests can compare the two
 * forms of a document. Default values are texts in both.
 */
export function readCsdlXml(xml: string): Record<string, unknown> {
  const problems: string[] = []
  const onError = (level: string, message: string): void => {
    // A warning reports something unusual, such as U+FFFD in a text, that is valid XML.
    if (level !== 'warning') problems.push(message)
  }
  const document = new DOMParser({ onError }).parseFromString(xml, 'application/xml')
  const root = document.documentElement
  if (root === null || problems.length > 0) throw new Error(problems.join('\n'))
  const [schema] = elements(root, 'Schema', true)
  if (schema === undefined) throw new Error('There is no Schema.')
  const namespace = text(schema, 'Namespace')
  const [container] = elements(schema, 'EntityContainer')
  return {
    $Version: root.getAttribute('Version'),
    $EntityContainer: `${namespace}.${container?.getAttribute('Name')}`,
    [namespace]: schemaMembers(schema),
    $Reference: Object.fromEntries(elements(root, 'edmx:Reference').map(reference)),
  }
}

function reference(element: Element): [string, unknown] {
  const [include] = elements(element, 'edmx:Include')
  if (include === undefined) throw new Error('A reference includes nothing.')
  return [
    text(element, 'Uri').replace(/\.xml$/, '.json'),
    { $Include: [{ $Namespace: text(include, 'Namespace'), $Alias: text(include, 'Alias') }] },
  ]
}

function schemaMembers(schema: Element): Record<string, unknown> {
  const members: [string, unknown][] = []
  const overloads = new Map<string, unknown[]>()
  for (const element of elements(schema)) {
    const name = element.getAttribute('Name') ?? ''
    switch (element.tagName) {
      case 'EntityType':
      case 'ComplexType':
        members.push([name, structured(element)])
        break
      case 'EnumType':
        members.push([name, enumeration(element)])
        break
      case 'TypeDefinition':
        members.push([
          name,
          {
            $Kind: 'TypeDefinition',
            $UnderlyingType: text(element, 'UnderlyingType'),
            ...facets(element),
            ...annotations(element),
          },
        ])
        break
      case 'Action':
      case 'Function':
        overloads.set(name, [...(overloads.get(name) ?? []), operation(element)])
        break
      case 'EntityContainer':
        members.push([name, container(element)])
        break
      default:
        members.push(...Object.entries(annotations(schema)))
    }
  }
  return Object.fromEntries([...members, ...overloads])
}

function structured(element: Element): unknown {
  const key = elements(element, 'PropertyRef', true).map(each => text(each, 'Name'))
  const properties = elements(element, 'Property').map(each => [
    text(each, 'Name'),
    { ...typed(each), ...optional('$DefaultValue', each.getAttribute('DefaultValue')), ...annotations(each) },
  ])
  const relations = elements(element, 'NavigationProperty').map(each => [text(each, 'Name'), relation(each)])
  return {
    $Kind: element.tagName,
    ...optional('$BaseType', element.getAttribute('BaseType')),
    ...flag(element, 'Abstract'),
    ...flag(element, 'HasStream'),
    ...flag(element, 'OpenType'),
    ...(key.length === 0 ? {} : { $Key: key }),
    ...Object.fromEntries([...properties, ...relations]),
    ...annotations(element),
  }
}

function relation(element: Element): unknown {
  const type = typed(element)
  const constraints = elements(element, 'ReferentialConstraint')
  const [onDelete] = elements(element, 'OnDelete')
  return {
    $Kind: 'NavigationProperty',
    ...type,
    ...('$Collection' in type ? { $Nullable: undefined } : {}),
    ...optional('$Partner', element.getAttribute('Partner')),
    ...flag(element, 'ContainsTarget'),
    ...(constraints.length === 0
      ? {}
      : {
          $ReferentialConstraint: Object.fromEntries(
            constraints.map(each => [text(each, 'Property'), text(each, 'ReferencedProperty')]),
          ),
        }),
    ...(onDelete === undefined ? {} : { $OnDelete: text(onDelete, 'Action') }),
    ...annotations(element),
  }
}

function typed(element: Element): Record<string, unknown> {
  const written = text(element, 'Type')
  const type = /^Collection\((.*)\)$/.exec(written)?.[1] ?? written
  return {
    ...(type === 'Edm.String' ? {} : { $Type: type }),
    ...(type === written ? {} : { $Collection: true }),
    ...(element.getAttribute('Nullable') === 'false' ? {} : { $Nullable: true }),
    ...facets(element),
  }
}

function facets(element: Element): Record<string, unknown> {
  return Object.fromEntries(
    ['MaxLength', 'Precision', 'Scale', 'Unicode', 'SRID'].flatMap(name => {
      const value = element.getAttribute(name)
      if (value === null) return []
      return [[`$${name}`, /^\d+$/.test(value) ? Number(value) : value === 'false' ? false : value]]
    }),
  )
}

function enumeration(element: Element): unknown {
  const members = elements(element, 'Member').flatMap(member => [
    [text(member, 'Name'), Number(text(member, 'Value'))],
    ...Object.entries(annotations(member)).map(([term, value]) => [text(member, 'Name') + term, value]),
  ])
  return {
    $Kind: 'EnumType',
    ...optional('$UnderlyingType', element.getAttribute('UnderlyingType')),
    ...flag(element, 'IsFlags'),
    ...Object.fromEntries(members),
    ...annotations(element),
  }
}

function operation(element: Element): unknown {
  const parameters = elements(element, 'Parameter').map(each => ({
    $Name: text(each, 'Name'),
    ...typed(each),
    ...annotations(each),
  }))
  const [returnType] = elements(element, 'ReturnType')
  return {
    $Kind: element.tagName,
    ...flag(element, 'IsBound'),
    ...flag(element, 'IsComposable'),
    ...(parameters.length === 0 ? {} : { $Parameter: parameters }),
    ...(returnType === undefined ? {} : { $ReturnType: { ...typed(returnType), ...annotations(returnType) } }),
    ...annotations(element),
  }
}

function container(element: Element): unknown {
  const children = elements(element)
    .filter(each => each.tagName !== 'Annotation')
    .map(each => {
      const bindings = elements(each, 'NavigationPropertyBinding')
      return [
        text(each, 'Name'),
        {
          ...(each.tagName === 'EntitySet' ? { $Collection: true } : {}),
          ...optional('$Type', each.getAttribute('EntityType') ?? each.getAttribute('Type')),
          ...optional('$Action', each.getAttribute('Action')),
          ...optional('$Function', each.getAttribute('Function')),
          ...(bindings.length === 0
            ? {}
            : {
                $NavigationPropertyBinding: Object.fromEntries(
                  bindings.map(binding => [text(binding, 'Path'), text(binding, 'Target')]),
                ),
              }),
          ...annotations(each),
        },
      ]
    })
  return { $Kind: 'EntityContainer', ...Object.fromEntries(children), ...annotations(element) }
}

function annotations(element: Element): Record<string, unknown> {
  return Object.fromEntries(elements(element, 'Annotation').map(each => [`@${text(each, 'Term')}`, held(each)]))
}

/** The value in an attribute or a child of an element. */
function held(element: Element): unknown {
  for (const name of ['String', 'Bool', 'Int', 'Float', 'EnumMember', 'PropertyPath', 'NavigationPropertyPath']) {
    const value = element.getAttribute(name)
    if (value !== null) return constant(name, value)
  }
  const [child] = elements(element)
  if (child === undefined) throw new Error(`<${element.tagName}> holds nothing.`)
  return expression(child)
}

function expression(element: Element): unknown {
  switch (element.tagName) {
    case 'Null':
      return null
    case 'Collection':
      return elements(element).map(expression)
    case 'Record':
      return Object.fromEntries(elements(element, 'PropertyValue').map(each => [text(each, 'Property'), held(each)]))
    default:
      return constant(element.tagName, element.textContent ?? '')
  }
}

function constant(kind: string, value: string): unknown {
  if (kind === 'Bool') return value === 'true'
  if (kind === 'Int' || kind === 'Float') return Number(value)
  if (kind !== 'EnumMember') return value
  return value
    .split(' ')
    .map(member => member.slice(member.indexOf('/') + 1))
    .join(',')
}

function elements(parent: Element, name?: string, deep = false): readonly Element[] {
  return [...parent.childNodes].flatMap(node => {
    if (!isElement(node)) return []
    const own = name === undefined || node.tagName === name ? [node] : []
    return deep ? [...own, ...elements(node, name, true)] : own
  })
}

function isElement(node: { readonly nodeType: number }): node is Element {
  return node.nodeType === 1
}

function text(element: Element, attribute: string): string {
  const value = element.getAttribute(attribute)
  if (value === null) throw new Error(`<${element.tagName}> has no ${attribute}.`)
  return value
}

function flag(element: Element, name: string): Record<string, unknown> {
  return element.getAttribute(name) === 'true' ? { [`$${name}`]: true } : {}
}

function optional(name: string, value: string | null): Record<string, unknown> {
  return value === null ? {} : { [name]: value }
}
