import { InvalidArgumentError, Option } from 'commander'
import { type ArtefactName, artefactNames, defaultArtefacts } from '../../generator/artefact-name.js'

/** `--only types,client`. */
export function artefactsOption(): Option {
  return new Option('--only <artefacts>', `what to generate, of ${artefactNames.join(', ')}`)
    .argParser(parseArtefacts)
    .default(undefined, defaultArtefacts.join(','))
}

function parseArtefacts(text: string): readonly ArtefactName[] {
  return text.split(',').map(word => {
    const known = artefactNames.find(name => name === word.trim())
    if (known === undefined) throw new InvalidArgumentError(`"${word}" is none of ${artefactNames.join(', ')}.`)
    return known
  })
}
