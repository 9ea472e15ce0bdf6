// The editors of the playground, on CodeMirror.

import { autocompletion, startCompletion } from '@codemirror/autocomplete'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup, minimalSetup } from 'codemirror'
import { completeFilter } from './filter-completion.js'

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--code-name)' },
    { tag: [tags.string, tags.content], color: 'var(--code-text)' },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--code-value)' },
    { tag: tags.comment, color: 'var(--code-comment)' },
  ]),
)

const labelled = label => EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' })

/** An editor of specs that calls `changed` with each text. */
export function specEditor(parent, text, changed) {
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      basicSetup,
      yaml(),
      colours,
      lintGutter(),
      labelled('Spec'),
      EditorView.updateListener.of(update => update.docChanged && changed(update.state.doc.toString())),
    ],
  })
  return {
    text: () => view.state.doc.toString(),
    replace: next => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark: diagnostics => {
      const end = view.state.doc.length
      const marks = diagnostics.map(({ from, to, severity, message }) => ({
        from: Math.min(from, end),
        to: Math.min(Math.max(to, from), end),
        severity: severity === 'note' ? 'info' : severity,
        message,
      }))
      view.dispatch(setDiagnostics(view.state, marks))
    },
    go: position => {
      view.dispatch({ selection: { anchor: Math.min(position, view.state.doc.length) }, scrollIntoView: true })
      view.focus()
    },
  }
}

/** A view of generated text. */
export function codeView(parent, label) {
  const view = new EditorView({
    parent,
    extensions: [minimalSetup, lineNumbers(), EditorState.readOnly.of(true), labelled(label)],
  })
  return text => {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    view.scrollDOM.scrollTop = 0
  }
}

/** A line for a `$filter`. `filterOf` says what the endpoint declares; `send` sends the request. */
export function filterLine(parent, { filterOf, changed, send }) {
  const source = ({ pos, state }) => {
    const { from, options } = completeFilter(state.doc.toString(), pos, filterOf())
    return options.length === 0 ? null : { from, options, validFor: /^['\w/$.]*$/ }
  }
  const view = new EditorView({
    parent,
    extensions: [
      keymap.of([{ key: 'Mod-Enter', run: () => (send(), true) }]),
      minimalSetup,
      autocompletion({ override: [source], activateOnTyping: true, icons: true }),
      labelled('$filter'),
      // One line: what is pasted becomes one.
      EditorState.transactionFilter.of(transaction => (transaction.newDoc.lines > 1 ? [] : transaction)),
      EditorView.updateListener.of(update => {
        if (update.docChanged) changed(update.state.doc.toString())
        if (update.focusChanged && view.hasFocus && view.state.doc.length === 0) startCompletion(view)
      }),
    ],
  })
  return {
    text: () => view.state.doc.toString(),
    replace: next => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
  }
}
