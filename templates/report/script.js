for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const code = button.nextElementSibling
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(code)
      button.textContent = 'Selected'
    }
  })
}
const filters = document.querySelector('form.filters')
if (filters !== null) {
  filters.hidden = false
  filters.addEventListener('change', () => {
    const { area, severity } = Object.fromEntries(new FormData(filters))
    for (const finding of document.querySelectorAll('details.finding')) {
      const { area: itsArea, severity: itsSeverity } = finding.dataset
      finding.hidden = (area !== '' && area !== itsArea) || (severity !== '' && severity !== itsSeverity)
    }
  })
}
