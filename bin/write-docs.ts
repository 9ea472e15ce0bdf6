import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assumptionsPage } from '../generator/docs/assumptions-page.js'
import { csdlVocabularyPage } from '../generator/docs/csdl-vocabulary-page.js'
import { loadSpec } from '../spec/language/index.js'
import { referencePage } from '../spec/language/reference-page.js'
import { languageSchema } from '../spec/language/shape/schema.js'
import { packageRoot } from './package-root.js'

// Writes the pages of docs/ that are made from specs, schema and code: `npm run docs`.

const root = packageRoot()
const page = (name: string): string => join(root, 'docs', name)

const { service } = await loadSpec(join(root, 'spec', 'directory.yaml'))
if (service === undefined) throw new Error('spec/directory.yaml has errors: specwright validate spec/directory.yaml')
writeFileSync(page('assumptions.md'), assumptionsPage([service]))
writeFileSync(page('csdl-vocabulary.md'), csdlVocabularyPage())

const language = readFileSync(page('spec-language.md'), 'utf8')
writeFileSync(
  page('spec-language.md'),
  language.slice(0, language.indexOf('## Reference\n')) + referencePage(languageSchema()),
)
